// Idle keys leave on time; used ones never do.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/store_limits.h"
#include "tests/support/store_print.h"
#include "tidegate/base/clock.h"
#include "tidegate/store/memory/memory_store.h"
#include "tidegate/store/memory/sweeper.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;

constexpr Limit kASecond = "5/s algorithm fixed_window"_limit;
constexpr Limit kADay = "5/d algorithm fixed_window"_limit;

std::string key_of(int i) {
  return "key " + std::to_string(i);
}

void use_keys(MemoryStore& store, const Limit& limit, int keys) {
  for (int i = 0; i < keys; ++i) store.take(key_of(i), limit);
}

// Looks at every state there is, whatever a sweep starts with.
void sweep_all(MemoryStore& store) {
  store.sweep(10'000);
}

TEST(Sweep, Forgets_what_is_neutral) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  for (const LimitCase& each : limit_cases()) use_keys(store, each.limit, 100);
  const std::uint64_t keys = store.counters().keys;
  EXPECT_EQ(keys, 400U);  // one a key and algorithm
  clock.advance(24h);
  EXPECT_EQ(store.sweep(10'000), keys);
  EXPECT_EQ(store.counters().keys, 0U);
}

TEST(Sweep, Never_forgets_a_state_in_use) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  for (const LimitCase& each : limit_cases()) {
    while (store.take("k", each.limit).allowed) {
    }
    const Decision denied = store.check("k", each.limit);
    const Time full_again = clock.now() + denied.reset_after;
    clock.advance(denied.retry_after - 1us);
    sweep_all(store);
    EXPECT_FALSE(store.take("k", each.limit).allowed) << each.name;
    clock.set(full_again - 1us);
    sweep_all(store);
    EXPECT_EQ(store.counters().keys, 1U) << each.name;
    EXPECT_LT(store.check("k", each.limit, 0).remaining, each.limit.capacity()) << each.name;
    clock.set(full_again);
    sweep_all(store);
    EXPECT_EQ(store.counters().keys, 0U) << each.name;
  }
}

TEST(Sweep, Keeps_a_state_that_was_used_again) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  constexpr Limit kMinute = "5/60s"_limit;
  store.take("k", kMinute);
  clock.advance(59s);
  for (int i = 0; i < 4; ++i) store.take("k", kMinute);
  clock.advance(2s);
  sweep_all(store);
  EXPECT_EQ(store.check("k", kMinute, 0).remaining, 1U);
}

TEST(Sweep, Keeps_what_a_longer_period_still_counts) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  store.take("k", "5/60s"_limit);
  store.take("k", "5/h"_limit);
  clock.advance(61s);
  sweep_all(store);
  EXPECT_EQ(store.check("k", "5/h"_limit, 0).remaining, 3U);
}

TEST(Sweep, Forgets_a_state_that_was_given_back) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  const Decision taken = store.take("k", kADay, 2);
  store.give_back("k", kADay, 1, taken.at);
  sweep_all(store);
  EXPECT_EQ(store.counters().keys, 1U);
  store.give_back("k", kADay, 1, taken.at);
  sweep_all(store);
  EXPECT_EQ(store.counters().keys, 0U);
}

TEST(Sweep, Of_as_many_segments_as_there_are_looks_at_each) {
  for (const int keys : {10, 100, 1'000, 20'000}) {
    ManualClock clock;
    MemoryStore store{{}, clock};
    use_keys(store, kASecond, keys);
    clock.advance(1s);
    EXPECT_EQ(store.sweep(store.counters().segments), static_cast<std::size_t>(keys));
  }
}

TEST(Sweep, Is_done_by_takes_within_the_interval) {
  ManualClock clock;
  MemoryStore store{{.sweep_interval = 10s}, clock};
  use_keys(store, kADay, 20'000);
  const std::uint64_t kept = store.counters().keys;
  for (int i = 0; i < 20'000; ++i) store.take("idle " + std::to_string(i), kASecond);
  clock.advance(1s);
  for (int step = 0; step < 1'000; ++step, clock.advance(11ms))
    for (int i = 0; i < 30; ++i) store.take(key_of((step * 30 + i) * 7 % 20'000), kADay);
  EXPECT_LE(store.counters().keys, kept + 200);
  EXPECT_GE(store.counters().keys, kept);
}

TEST(Sweep, Is_done_by_requests_of_several_takes_too) {
  ManualClock clock;
  MemoryStore store{{.sweep_interval = 10s}, clock};
  use_keys(store, kADay, 1'000);
  for (int i = 0; i < 1'000; ++i) store.take("idle " + std::to_string(i), kASecond);
  clock.advance(1s);
  for (int step = 0; step < 3'000; ++step, clock.advance(11ms)) {
    const std::string a = key_of(step * 7 % 1'000);
    const std::string b = key_of(step * 11 % 1'000);
    const std::vector<Take> takes{{.key = a, .limit = kADay}, {.key = b, .limit = kADay}};
    TakeOp op{.takes = takes};
    store.submit(op);
  }
  EXPECT_LE(store.counters().keys, 1'200U);
}

TEST(Sweep, Gives_its_memory_back_to_new_keys) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  std::uint64_t most = 0;
  std::vector<std::uint64_t> empty;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 40'000; ++i)
      store.take("round " + std::to_string(round) + key_of(i), kASecond);
    most = std::max(most, store.counters().bytes);
    clock.advance(1s);
    while (store.counters().keys > 0) store.sweep(1'000);
    sweep_all(store);
    empty.push_back(store.counters().bytes);
  }
  EXPECT_LT(most, 40'000U * 64);
  EXPECT_GT(store.counters().merges, 0U);
  EXPECT_LT(empty.front(), most / 4);
  EXPECT_LE(empty.back(), empty.front() * 11 / 10) << "rounds leave something behind";
  const MemoryStoreCounters counters = store.counters();
  EXPECT_LE(counters.segments + counters.merges, counters.splits + 256) << "one a shard at first";
}

// Whatever merges with whatever: those in use stay, all others go.
TEST(Sweep, Loses_nothing_in_use_to_merging) {
  for (const int one_in : {2, 3, 4, 8, 30}) {
    ManualClock clock;
    MemoryStore store{{}, clock};
    constexpr int kKeys = kSanitized ? 10'000 : 60'000;
    for (int i = 0; i < kKeys; ++i) store.take(key_of(i), i % one_in == 0 ? kADay : kASecond);
    clock.advance(1s);
    sweep_all(store);
    sweep_all(store);
    EXPECT_EQ(store.counters().keys, static_cast<std::uint64_t>((kKeys + one_in - 1) / one_in));
    for (int i = 0; i < kKeys; i += one_in)
      ASSERT_EQ(store.check(key_of(i), kADay, 0).remaining, 4U) << "one in " << one_in;
  }
}

// Waits for real time to pass, as briefly as it can: a fault shows as long waiting.
bool comes_true(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

TEST(Sweeper, Forgets_where_no_takes_come) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  const Sweeper sweeper{store, 20ms};
  use_keys(store, kASecond, kSanitized ? 20'000 : 200'000);
  store.take("in use", kADay);
  clock.advance(1s);
  EXPECT_TRUE(comes_true([&] { return store.counters().keys == 1; }));
  EXPECT_EQ(store.check("in use", kADay, 0).remaining, 4U);
}

TEST(Sweeper, Stops_at_once) {
  MemoryStore store;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) const Sweeper sweeper{store, std::chrono::hours{1}};
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
}

}  // namespace
}  // namespace tidegate::test
