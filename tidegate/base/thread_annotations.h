// Names which lock guards what, so that clang's -Wthread-safety checks it; nothing elsewhere.
#pragma once

#if defined(__clang__)
#define TIDEGATE_ATTRIBUTE(x) __attribute__((x))
#else
#define TIDEGATE_ATTRIBUTE(x)
#endif

#define TIDEGATE_CAPABILITY(name) TIDEGATE_ATTRIBUTE(capability(name))
#define TIDEGATE_SCOPED_CAPABILITY TIDEGATE_ATTRIBUTE(scoped_lockable)
#define TIDEGATE_GUARDED_BY(lock) TIDEGATE_ATTRIBUTE(guarded_by(lock))
#define TIDEGATE_REQUIRES(...) TIDEGATE_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define TIDEGATE_ACQUIRE(...) TIDEGATE_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define TIDEGATE_TRY_ACQUIRE(...) TIDEGATE_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define TIDEGATE_RELEASE(...) TIDEGATE_ATTRIBUTE(release_capability(__VA_ARGS__))
#define TIDEGATE_UNCHECKED TIDEGATE_ATTRIBUTE(no_thread_safety_analysis)
