// A lock of one byte for critical sections of some 50 ns, so that a table can have a thousand.
//
// Thread safety: it is one. Cost: one atomic exchange to lock, one store to unlock. A waiter spins
// briefly and then yields its core: with more threads than cores the holder must get to run.
#pragma once

#include <atomic>
#include <thread>

#include "tidegate/base/thread_annotations.h"

namespace tidegate {

class TIDEGATE_CAPABILITY("mutex") SpinLock {
 public:
  void lock() TIDEGATE_ACQUIRE() {
    while (!try_lock()) wait();
  }
  bool try_lock() TIDEGATE_TRY_ACQUIRE(true) {
    return !locked_.exchange(true, std::memory_order_acquire);
  }
  void unlock() TIDEGATE_RELEASE() { locked_.store(false, std::memory_order_release); }

 private:
  // Until it looks free: only reading, so that waiters do not take the cache line from the holder.
  [[gnu::noinline]] void wait() const {
    constexpr int kSpins = 64;
    for (int spins = 0; locked_.load(std::memory_order_relaxed); ++spins)
      if (spins >= kSpins) std::this_thread::yield();
  }

  std::atomic<bool> locked_{false};
};

class TIDEGATE_SCOPED_CAPABILITY SpinGuard {
 public:
  explicit SpinGuard(SpinLock& lock) TIDEGATE_ACQUIRE(lock) : lock_{lock} { lock_.lock(); }
  ~SpinGuard() TIDEGATE_RELEASE() { lock_.unlock(); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;

 private:
  SpinLock& lock_;
};

}  // namespace tidegate
