#include "tidegate/base/clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace tidegate {
namespace {

using namespace std::chrono_literals;

Time wall_time() {
  return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
}

TEST(SystemClock, Tells_wall_time) {
  const SystemClock clock;
  EXPECT_LT(std::chrono::abs(clock.now() - wall_time()), 1s);
}

TEST(SystemClock, Never_steps_back) {
  const SystemClock clock;
  Time last = clock.now();
  for (int i = 0; i < 200'000; ++i) {
    const Time now = clock.now();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(SystemClock, Goes_on) {
  const SystemClock clock;
  const Time start = clock.now();
  const auto begun = std::chrono::steady_clock::now();
  while (clock.now() == start) ASSERT_LT(std::chrono::steady_clock::now() - begun, 10s);
}

TEST(SystemClock, Passes_as_fast_as_the_steady_clock) {
  const SystemClock clock;
  const Time start = clock.now();
  const auto begun = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begun < 5ms) {
  }
  EXPECT_GE(clock.now() - start, 5ms - 3us);  // later readings only add to it
}

TEST(SystemClock, Sleeps_until_the_time_named_or_later) {
  const SystemClock clock;
  const Time when = clock.now() + 2ms;
  clock.sleep_until(when);
  EXPECT_GE(clock.now(), when);
}

TEST(SystemClock, Does_not_sleep_until_a_time_that_has_passed) {
  const SystemClock clock;
  const Time start = clock.now();
  clock.sleep_until(start - 1h);
  clock.sleep_until(Time{});
  EXPECT_LT(clock.now() - start, 1min);
}

TEST(SystemClock, Is_one_for_the_process) {
  EXPECT_EQ(&system_clock(), &system_clock());
}

TEST(ManualClock, Stands_still_until_told_to_move) {
  ManualClock clock{Time{5s}};
  EXPECT_EQ(clock.now(), Time{5s});
  EXPECT_EQ(clock.now(), Time{5s});
  clock.advance(3us);
  EXPECT_EQ(clock.now(), Time{5s + 3us});
  clock.set(Time{7s});
  EXPECT_EQ(clock.now(), Time{7s});
}

TEST(ManualClock, Steps_back_on_request) {
  ManualClock clock{Time{100s}};
  clock.advance(-11s);
  EXPECT_EQ(clock.now(), Time{89s});
  clock.set(Time{1s});
  EXPECT_EQ(clock.now(), Time{1s});
}

TEST(ManualClock, A_sleeper_moves_it) {
  ManualClock clock{Time{10s}};
  clock.sleep_until(Time{60s});
  EXPECT_EQ(clock.now(), Time{60s});
  clock.sleep_until(Time{59s});
  EXPECT_EQ(clock.now(), Time{60s}) << "a time that has passed";
}

TEST(ManualClock, Starts_at_a_time_of_our_days) {
  EXPECT_GT(ManualClock{}.now(), Time{1'600'000'000s});
}

TEST(ManualClock, Loses_no_advance_of_many_threads) {
  ManualClock clock{Time{0s}};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&clock] {
      for (int j = 0; j < 10'000; ++j) clock.advance(1us);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(clock.now(), Time{40ms});
}

TEST(Time, Ends_where_doubles_stop_to_hold_microseconds) {
  const auto last = kEndOfTime.time_since_epoch().count();
  EXPECT_EQ(static_cast<std::int64_t>(static_cast<double>(last)), last);
  EXPECT_EQ(last, (std::int64_t{1} << 53) - 1);
  EXPECT_GT(kNever, kEndOfTime.time_since_epoch());
}

}  // namespace
}  // namespace tidegate
