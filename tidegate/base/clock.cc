#include "tidegate/base/clock.h"

#include <thread>

namespace tidegate {
namespace {

Duration wall_time() {
  return std::chrono::floor<Duration>(std::chrono::system_clock::now()).time_since_epoch();
}

}  // namespace

SystemClock::SystemClock() : wall_minus_boot_{wall_time() - boot_time_.now()} {}

Time SystemClock::now() const {
  return clamp(Time{wall_minus_boot_ + boot_time_.now()});
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
