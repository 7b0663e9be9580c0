// Microseconds since the machine started, hours of suspension included: CLOCK_BOOTTIME, carried
// forward between its readings by the processor's time stamp counter.
//
// A line (a count of ticks, the time there, a slope) is good for half a millisecond; then the
// kernel is asked again. The slope is a thousandth low, so that no line ends after the kernel's
// time and the next one starts no earlier: time never steps back. It lags by less than 3 us, and a
// counter that breaks (a machine moved while it runs) is believed for no longer than a line. Only
// where the kernel itself keeps time by the counter; elsewhere every reading is the kernel's.
// Thread safety: `now` may be called from any thread; readings of threads that are ordered by a
// lock may be out of order by a microsecond, as the counter is read ahead of its turn.
// Cost: half of a vDSO call, which waits for all earlier instructions and lets none pass; half a
// millisecond to make one.
#pragma once

#include <atomic>
#include <cstdint>

#include "tidegate/base/spin_lock.h"
#include "tidegate/base/time.h"

namespace tidegate {

namespace boot_time {

inline constexpr int kFractionBits = 32;

inline std::uint64_t read_ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return 0;
#endif
}

}  // namespace boot_time

class BootTime {
 public:
  BootTime();
  BootTime(const BootTime&) = delete;
  BootTime& operator=(const BootTime&) = delete;

  Duration now() const {
    const std::uint64_t ticks = boot_time::read_ticks();
    const std::uint64_t version = version_.load(std::memory_order_acquire);
    const std::uint64_t elapsed = ticks - ticks_.load(std::memory_order_acquire);
    const std::int64_t time = time_.load(std::memory_order_acquire);
    const bool whole = version % 2 == 0 && version == version_.load(std::memory_order_relaxed);
    if (elapsed >= span_ || !whole) [[unlikely]]
      return ask();
    return microseconds(time + ns(elapsed));
  }

 private:
  static Duration microseconds(std::int64_t ns) { return Duration{ns / 1'000}; }
  std::int64_t ns(std::uint64_t ticks) const {
    return static_cast<std::int64_t>(ticks * rate_ >> boot_time::kFractionBits);
  }
  Duration ask() const;
  std::int64_t renew() const;
  void start_line(std::uint64_t ticks, std::int64_t time) const TIDEGATE_REQUIRES(renewing_);

  std::uint64_t rate_ = 0;  // nanoseconds a tick, in units of 2^-32; 0: the kernel alone
  std::uint64_t span_ = 0;  // ticks for which a line is good

  // The line. Odd versions are being written.
  mutable SpinLock renewing_;
  mutable std::atomic<std::uint64_t> version_{0};
  mutable std::atomic<std::uint64_t> ticks_{0};
  mutable std::atomic<std::int64_t> time_{0};  // ns
};

}  // namespace tidegate
