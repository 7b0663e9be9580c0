#include "tidegate/store/memory/memory_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/store_limits.h"
#include "tests/support/store_print.h"
#include "tidegate/base/clock.h"

namespace tidegate::test {
namespace {

constexpr Limit kFive = "5/60s"_limit;
constexpr Limit kFiveFixed = "5/60s algorithm fixed_window"_limit;

std::string key_of(std::uint64_t i) {
  return "key " + std::to_string(i);
}

TEST(MemoryStore, Keeps_no_state_for_what_was_denied_looked_at_or_given_back) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  for (const LimitCase& each : limit_cases()) {
    const Limit& limit = each.limit;
    store.take("denied", limit, limit.capacity() + 1);
    store.take("peeked at", limit, 0);
    store.check("checked", limit);
    store.give_back("given back", limit, 1, clock.now());
    store.reset("reset");
  }
  EXPECT_EQ(store.counters().keys, 0U);
  EXPECT_EQ(store.counters().inserted, 0U);
}

TEST(MemoryStore, Counts_a_state_for_each_algorithm_of_a_key) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  store.take("k", kFive);
  store.take("k", kFiveFixed);
  store.take("k", kFive);
  EXPECT_EQ(store.counters().keys, 2U);
  EXPECT_EQ(store.counters().inserted, 2U);
}

TEST(MemoryStore, Counts_what_comes_and_goes) {
  ManualClock clock;
  MemoryStore store{{.max_keys = 300, .sweep_interval = std::chrono::hours{24 * 365}}, clock};
  for (std::uint64_t i = 0; i < 350; ++i) store.take(key_of(i), kFiveFixed, 1);
  MemoryStoreCounters counters = store.counters();
  EXPECT_EQ(counters.inserted, 350U);
  EXPECT_EQ(counters.evicted, 50U);
  EXPECT_EQ(counters.keys, 300U);
  for (std::uint64_t i = 0; i < 350; ++i) store.reset(key_of(i));
  counters = store.counters();
  EXPECT_EQ(counters.keys, 0U);
  EXPECT_EQ(counters.erased, 300U);
  for (std::uint64_t i = 0; i < 200; ++i) store.take(key_of(i), kFiveFixed, 1);
  clock.advance(std::chrono::minutes{2});
  while (store.counters().keys > 0) store.sweep(100);
  counters = store.counters();
  EXPECT_EQ(counters.swept, 200U);
  EXPECT_EQ(counters.inserted, counters.swept + counters.evicted + counters.erased);
}

TEST(MemoryStore, Forgets_the_memory_of_logs_with_their_states) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  const std::uint64_t empty = store.counters().bytes;
  constexpr Limit kMany = "1000/60s"_limit;
  for (int hit = 0; hit < 500; ++hit, clock.advance(Duration{1})) store.take("log", kMany);
  EXPECT_GT(store.counters().bytes, empty + 500 * 8);
  store.reset("log");
  EXPECT_EQ(store.counters().keys, 0U);
  EXPECT_LT(store.counters().bytes, empty + 1'000);
}

// A state of its own for each of many keys, found again under whatever splits came between.
TEST(MemoryStore, Finds_every_one_of_many_keys_again) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  const std::uint64_t keys = kSanitized ? 20'000 : 300'000;
  for (std::uint64_t i = 0; i < keys; ++i) store.take(key_of(i), kFiveFixed, 1 + i % 5);
  EXPECT_EQ(store.counters().keys, keys);
  EXPECT_GT(store.counters().splits, keys / 200);
  for (std::uint64_t i = 0; i < keys; ++i)
    ASSERT_EQ(store.check(key_of(i), kFiveFixed, 0).remaining, 4 - i % 5) << key_of(i);
}

TEST(MemoryStore, Takes_a_batch_as_it_takes_one_by_one) {
  for_each_trace(100, [](Random& random) {
    ManualClock clock;
    constexpr MemoryStoreOptions kNeverSweep{.sweep_interval = std::chrono::hours{24 * 365}};
    MemoryStore batched{kNeverSweep, clock};
    MemoryStore single{kNeverSweep, clock};
    for (int round = 0; round < 10; ++round) {
      std::vector<std::string> keys(static_cast<std::size_t>(random.between(0, 200)));
      for (std::string& key : keys) key = key_of(static_cast<std::uint64_t>(random.between(0, 60)));
      std::vector<Take> takes;
      for (const std::string& key : keys)  // one limit a key: when a neutral state goes is open
        takes.push_back(
            {.key = key,
             .limit = limit_cases()[std::hash<std::string>{}(key) % limit_cases().size()].limit,
             .cost = random.between(0, 8),
             .role = random.pick({Role::kBinding, Role::kShadow, Role::kQuota})});
      std::vector<Decision> decisions(takes.size());
      batched.take_batch(takes, decisions);
      for (std::size_t i = 0; i < takes.size(); ++i)
        ASSERT_EQ(decisions[i], single.take(takes[i].key, takes[i].limit, takes[i].cost));
      clock.advance(Duration{random.between(0, 40'000'000)});
    }
  });
}

TEST(MemoryStore, Lives_beside_others_of_its_kind) {
  ManualClock clock;
  MemoryStore a{{}, clock};
  MemoryStore b{{}, clock};
  for (int i = 0; i < 5; ++i) a.take("k", kFive);
  EXPECT_FALSE(a.take("k", kFive).allowed);
  EXPECT_TRUE(b.take("k", kFive).allowed);
}

// The bound holds at every count on the way up, and half of the time a tighter one.
void expect_bytes_a_key(const Limit& limit, int hits, double most, double median) {
  ManualClock clock;
  MemoryStore store{{.sweep_interval = std::chrono::hours{24 * 365}}, clock};
  const std::uint64_t keys = kSanitized ? 30'000 : 400'000 / static_cast<std::uint64_t>(hits);
  std::vector<double> bytes;
  std::uint64_t next = 20'000;
  for (std::uint64_t i = 1; i <= keys; ++i) {
    for (int hit = 0; hit < hits; ++hit) {
      store.take(key_of(i), limit);
      if (hits > 1) clock.advance(Duration{1});
    }
    if (i < next) continue;
    next = i + i / 20;
    bytes.push_back(static_cast<double>(store.counters().bytes) / static_cast<double>(i));
  }
  std::sort(bytes.begin(), bytes.end());
  ASSERT_FALSE(bytes.empty());
  EXPECT_LE(bytes.back(), most);
  EXPECT_LE(bytes[bytes.size() / 2], median);
}

TEST(MemoryStore, Takes_at_most_64_bytes_a_key_and_mostly_48) {
  expect_bytes_a_key(kFiveFixed, 1, 64, 50);
}

TEST(MemoryStore, Takes_at_most_12_bytes_a_hit_and_96_for_a_log) {
  expect_bytes_a_key("10/60s"_limit, 10, 12 * 10 + 96, 12 * 10 + 96);
}

}  // namespace
}  // namespace tidegate::test
