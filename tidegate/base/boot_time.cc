#include "tidegate/base/boot_time.h"

#include <algorithm>
#include <cassert>
#include <ctime>
#include <fstream>
#include <string>

namespace tidegate {
namespace {

// Nanoseconds that a line may start ahead of the kernel. It takes a counter that has gone mad.
constexpr std::int64_t kMostAhead = 2'000'000;

// A line is good for half a millisecond; its two readings are at most 200 ns apart.
constexpr double kLinesPerMs = 2;
constexpr std::uint64_t kPrompt = 2'500;

std::int64_t kernel_ns() {
  timespec t{};
  [[maybe_unused]] const int failed = clock_gettime(CLOCK_BOOTTIME, &t);
  assert(!failed);
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

#if defined(__x86_64__)

// The kernel has compared the counters of all processors, and watches them.
bool kernel_trusts_ticks() {
  std::ifstream file{"/sys/devices/system/clocksource/clocksource0/current_clocksource"};
  std::string name;
  return file >> name && name == "tsc";
}

#else

bool kernel_trusts_ticks() {
  return false;
}

#endif

// Ticks a millisecond, over some 100 us: right to a few in ten thousand.
double measure() {
  const std::uint64_t ticks = boot_time::read_ticks();
  const std::int64_t begun = kernel_ns();
  std::int64_t now = begun;
  while (now - begun < 100'000) now = kernel_ns();
  return static_cast<double>(boot_time::read_ticks() - ticks) * 1e6 /
         static_cast<double>(now - begun);
}

// Ticks a millisecond, or 0 where two measurements never agree: it is not a clock.
double ticks_per_ms() {
  for (int attempt = 0; attempt < 5; ++attempt) {
    const double a = measure();
    const double b = measure();
    if (a > 0 && std::max(a, b) < 1.0005 * std::min(a, b)) return (a + b) / 2;
  }
  return 0;
}

}  // namespace

BootTime::BootTime() {
  if (!kernel_trusts_ticks()) return;
  const double ticks = ticks_per_ms();
  if (ticks < 1'000 || ticks > 1e8) return;
  span_ = static_cast<std::uint64_t>(ticks / kLinesPerMs);
  rate_ = static_cast<std::uint64_t>(
      0.999 * 1e6 / ticks * static_cast<double>(std::uint64_t{1} << boot_time::kFractionBits));
}

Duration BootTime::ask() const {
  return microseconds(rate_ == 0 ? kernel_ns() : renew());
}

// By the line as another thread has just made it, or by a new one: it starts where the kernel is,
// but not before the end of the last. When this thread was interrupted between the two readings
// that make a line, there is none.
std::int64_t BootTime::renew() const {
  const SpinGuard guard{renewing_};
  const std::int64_t time = time_.load(std::memory_order_relaxed);
  const std::uint64_t ticks = boot_time::read_ticks();
  const auto elapsed = static_cast<std::int64_t>(ticks - ticks_.load(std::memory_order_relaxed));
  const auto span = static_cast<std::int64_t>(span_);
  if (-span < elapsed && elapsed < span)
    return time + ns(static_cast<std::uint64_t>(std::max<std::int64_t>(elapsed, 0)));
  const std::int64_t kernel = kernel_ns();
  const std::int64_t now = std::clamp(time + ns(span_), kernel, kernel + kMostAhead);
  const std::uint64_t after = boot_time::read_ticks();
  if (after - ticks < span_ / kPrompt) start_line(after, now);
  return now;
}

void BootTime::start_line(std::uint64_t ticks, std::int64_t time) const {
  const std::uint64_t version = version_.load(std::memory_order_relaxed);
  version_.store(version + 1, std::memory_order_relaxed);
  ticks_.store(ticks, std::memory_order_release);
  time_.store(time, std::memory_order_release);
  version_.store(version + 2, std::memory_order_release);
}

}  // namespace tidegate
