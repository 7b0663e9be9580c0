#include "tidegate/base/boot_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <thread>
#include <vector>

namespace tidegate {
namespace {

using namespace std::chrono_literals;

Duration kernel_time() {
  timespec t{};
  clock_gettime(CLOCK_BOOTTIME, &t);
  return Duration{std::int64_t{t.tv_sec} * 1'000'000 + t.tv_nsec / 1'000};
}

TEST(BootTime, Is_never_ahead_of_the_kernel_and_lags_by_less_than_3_us) {
  const BootTime boot_time;
  const Duration begun = kernel_time();
  while (kernel_time() - begun < 50ms) {
    const Duration before = kernel_time();
    const Duration now = boot_time.now();
    ASSERT_GT(now, before - 3us);
    ASSERT_LE(now, kernel_time());
  }
}

TEST(BootTime, Never_steps_back) {
  const BootTime boot_time;
  Duration last = boot_time.now();
  for (const Duration begun = last; last - begun < 50ms;) {
    const Duration now = boot_time.now();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(BootTime, Is_right_again_after_a_pause) {
  const BootTime boot_time;
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(1500us);
    const Duration before = kernel_time();
    const Duration now = boot_time.now();
    EXPECT_GE(now, before);
    EXPECT_LE(now, kernel_time());
  }
}

// Threads that renew the line together must not push it ahead.
TEST(BootTime, Is_one_time_for_all_threads) {
  const BootTime boot_time;
  const Duration end = kernel_time() + 50ms;
  std::atomic<int> early{0};
  std::atomic<int> late{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (Duration now{}; now < end;) {
        const Duration before = kernel_time();
        now = boot_time.now();
        if (now <= before - 3us) ++late;
        if (now > kernel_time()) ++early;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(early, 0);
  EXPECT_EQ(late, 0);
}

}  // namespace
}  // namespace tidegate
