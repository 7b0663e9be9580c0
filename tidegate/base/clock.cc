#include "tidegate/base/clock.h"

#include <cassert>
#include <ctime>
#include <thread>

namespace tidegate {
namespace {

Duration read(clockid_t id) {
  timespec t{};
  [[maybe_unused]] const int failed = clock_gettime(id, &t);
  assert(!failed);
  return Duration{std::int64_t{t.tv_sec} * 1'000'000 + t.tv_nsec / 1'000};
}

}  // namespace

SystemClock::SystemClock() : wall_minus_boot_{read(CLOCK_REALTIME) - read(CLOCK_BOOTTIME)} {}

Time SystemClock::now() const {
  return clamp(Time{wall_minus_boot_ + read(CLOCK_BOOTTIME)});
}

void SystemClock::sleep_until(Time when) const {
  for (Time t = now(); t < when; t = now()) std::this_thread::sleep_for(when - t);
}

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

void ManualClock::advance(Duration by) {
  for (Time t = now(); !now_.compare_exchange_weak(t, clamp(t + by));) {
  }
}

void ManualClock::sleep_until(Time when) const {
  for (Time t = now(); t < when && !now_.compare_exchange_weak(t, when);) {
  }
}

}  // namespace tidegate
