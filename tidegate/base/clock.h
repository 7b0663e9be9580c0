// Where time comes from. Everything below the command line is given a Clock; nothing reads one
// behind its caller's back.
//
//   MemoryStore store;                      // production: the system's clock
//   ManualClock clock; MemoryStore store{{}, clock};   clock.advance(60s);   // a test
//
// Thread safety: all members of every clock may be called from any thread.
// Cost: SystemClock::now() is half a vDSO call where the kernel keeps time by the processor's
// counter, one elsewhere: see boot_time.h.
#pragma once

#include <algorithm>
#include <atomic>

#include "tidegate/base/boot_time.h"
#include "tidegate/base/time.h"

namespace tidegate {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time now() const = 0;
  // Returns at `when` or later; at once when that has passed.
  virtual void sleep_until(Time when) const = 0;
};

// Wall time at construction plus the time since then, suspended hours included. It never steps: an
// operator who sets the machine's clock back does not lock anyone out.
class SystemClock final : public Clock {
 public:
  SystemClock();
  Time now() const override;
  void sleep_until(Time when) const override;

 private:
  BootTime boot_time_;
  Duration wall_minus_boot_;
};

// The process' own SystemClock, made at first use: the default of stores and buckets.
const Clock& system_clock();

// To the supported range, [epoch, kEndOfTime].
constexpr Time clamp(Time t) {
  return std::clamp(t, Time{}, kEndOfTime);
}

// Stands still until told to move; a sleeper moves it. Steps back on request, as a bad wall clock
// would.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Time start = Time{std::chrono::seconds{1'700'000'000}}) : now_{start} {}

  Time now() const override { return now_.load(std::memory_order_relaxed); }
  void sleep_until(Time when) const override;
  void set(Time now) { now_.store(clamp(now), std::memory_order_relaxed); }
  void advance(Duration by);

 private:
  mutable std::atomic<Time> now_;
};

}  // namespace tidegate
