// At the cap: never more than allowed, and who has to leave.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/store_print.h"
#include "tidegate/base/clock.h"
#include "tidegate/store/memory/memory_store.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;

constexpr Limit kFive = "5/d algorithm fixed_window"_limit;
constexpr Limit kASecond = "5/s algorithm fixed_window"_limit;

std::string name_of(const char* kind, std::uint64_t i) {
  return kind + std::to_string(i);
}

Verdict request(MemoryStore& store, const std::vector<Take>& takes) {
  TakeOp op{.takes = takes};
  store.submit(op);
  return op.verdict;
}

TEST(Cap, Is_never_exceeded_whatever_comes) {
  for_each_trace(60, [](Random& random) {
    const auto cap = random.pick<std::uint64_t>({1, 2, 10, 63, 65, 1'000});
    ManualClock clock;
    MemoryStore store{{.max_keys = cap, .sweep_interval = Duration{random.pick({1, 1'000'000})}},
                      clock};
    const std::vector<Limit> limits{kFive, kASecond, "20/s"_limit, "5/60s burst 9"_limit};
    for (std::uint64_t i = 0; i < 1'500; ++i) {
      const std::string key = name_of("k", static_cast<std::uint64_t>(random.between(0, 3'000)));
      const Limit& limit = random.pick_from(limits);
      if (random.chance(70)) {
        store.take(key, limit);
      } else {
        const std::string other = key + "'";
        request(store, {{.key = key, .limit = limit}, {.key = other, .limit = limit}});
      }
      ASSERT_LE(store.counters().keys, cap);
      clock.advance(Duration{random.between(0, 2'000)});
    }
  });
}

TEST(Cap, Admits_every_new_key_when_it_evicts) {
  for (const std::uint64_t cap : {1U, 10U, 1'000U}) {
    ManualClock clock;
    MemoryStore store{{.max_keys = cap}, clock};
    for (std::uint64_t i = 0; i < 5 * cap + 100; ++i) {
      ASSERT_TRUE(store.take(name_of("flood", i), kFive).allowed) << "cap " << cap;
      ASSERT_LE(store.counters().keys, cap);
    }
    EXPECT_EQ(store.counters().keys, cap);
    EXPECT_EQ(store.counters().evicted, 4 * cap + 100);
    EXPECT_EQ(store.counters().denied_full, 0U);
  }
}

// One shard of three segments, of which sweeping empties now one and now another.
TEST(Cap, Finds_a_victim_though_most_of_its_segments_are_empty) {
  const std::vector<Limit> limits{kFive, kASecond, "20/s"_limit, "5/60s burst 9"_limit};
  for_each_trace(2'000, [&](Random& random) {
    ManualClock clock;
    MemoryStore store{{.max_keys = 65}, clock};
    for (std::uint64_t i = 0; i < 1'500; ++i) {
      const std::string key = name_of("k", static_cast<std::uint64_t>(random.between(0, 3'000)));
      store.take(key, random.pick_from(limits));
      clock.advance(Duration{random.between(0, 2'000)});
    }
    ASSERT_EQ(store.counters().denied_full, 0U) << "a new key was denied";
    ASSERT_LE(store.counters().keys, 65U);
  });
}

TEST(Cap, Keeps_the_key_that_has_just_come) {
  ManualClock clock;
  MemoryStore store{{.max_keys = 1}, clock};
  for (std::uint64_t i = 0; i < 50; ++i) {
    const std::string key = name_of("k", i);
    store.take(key, kFive, 5);
    EXPECT_FALSE(store.take(key, kFive).allowed);
  }
}

TEST(Cap, Of_one_key_holds_under_requests_of_several) {
  ManualClock clock;
  MemoryStore store{{.max_keys = 1}, clock};
  for (std::uint64_t i = 0; i < 50; ++i) {
    const std::string a = name_of("a", i);
    const std::string b = name_of("b", i);
    EXPECT_TRUE(request(store, {{.key = a, .limit = kFive}, {.key = b, .limit = kFive}}).allowed);
    EXPECT_EQ(store.counters().keys, 1U);
  }
}

TEST(Cap, Holds_under_threads) {
  ManualClock clock;
  MemoryStore store{{.max_keys = 200}, clock};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < (kSanitized ? 3'000U : 30'000U); ++i)
        store.take(name_of("k", i * 4 + static_cast<std::uint64_t>(t)), kFive);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(store.counters().keys, 200U);
}

// The odds that a flood forgives a throttled key: a victim is the least full of 8 samples, so it is
// one of the full only when all 8 are, p^8 with a share of p. Of that, a key's own part is its
// chance of being sampled, times p^7.
class Flood : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kStates = 16'384;

  // Fills the store up: throttled keys, at random among keys with one of five used.
  void fill(std::uint64_t throttled) {
    for (std::uint64_t i = 0; i < kStates; ++i) {
      if (i < throttled) {
        store_.take(name_of("throttled", i), kFive, 5);
      } else {
        store_.take(name_of("slow", i), kFive, 1);
      }
    }
    ASSERT_EQ(store_.counters().evicted, 0U);
    throttled_ = throttled;
  }

  void flood(std::uint64_t keys) {
    for (std::uint64_t i = 0; i < keys; ++i) store_.take(name_of("flood", i), kFive, 1);
    ASSERT_EQ(store_.counters().evicted, keys);
  }

  double forgiven() const {
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < throttled_; ++i)
      count += store_.check(name_of("throttled", i), kFive).allowed;
    return static_cast<double>(count);
  }

  ManualClock clock_;
  MemoryStore store_{{.max_keys = kStates}, clock_};
  std::uint64_t throttled_ = 0;
};

double expected_losses(std::uint64_t evictions, double share) {
  return static_cast<double>(evictions) * std::pow(share, 8);
}

TEST_F(Flood, Forgives_as_many_throttled_keys_as_8_samples_do) {
  fill(kStates * 3 / 4);
  flood(8'000);
  // The share falls as throttled keys go, and differs from shard to shard.
  const double most = expected_losses(8'000, 0.75);
  EXPECT_LE(forgiven(), 1.35 * most + 6 * std::sqrt(most));
  EXPECT_GE(forgiven(), 0.5 * most - 6 * std::sqrt(most));
}

TEST_F(Flood, Forgives_hardly_any_when_most_are_not_throttled) {
  fill(kStates / 10);
  flood(16'000);
  EXPECT_LE(forgiven(), 2.0);
}

TEST_F(Flood, Forgives_a_key_as_full_as_all_others_by_chance_alone) {
  fill(kStates);
  flood(1'000);
  EXPECT_LE(forgiven(), 1'000.0);
  EXPECT_GE(forgiven(), 400.0);  // the flood's own keys are the first to go
}

TEST_F(Flood, Lets_neutral_keys_go_before_those_in_use) {
  for (std::uint64_t i = 0; i < kStates / 2; ++i) store_.take(name_of("idle", i), kASecond, 5);
  throttled_ = kStates / 2;
  for (std::uint64_t i = 0; i < throttled_; ++i) store_.take(name_of("throttled", i), kFive, 5);
  clock_.advance(1s);
  for (std::uint64_t i = 0; i < kStates / 4; ++i) store_.take(name_of("flood", i), kFive, 1);
  EXPECT_GE(store_.counters().swept, kStates / 4 - 100);
  EXPECT_LE(forgiven(), 0.01 * static_cast<double>(throttled_));
}

TEST(DenyNew, Denies_new_keys_and_says_degraded) {
  ManualClock clock;
  MemoryStore store{{.max_keys = 100, .on_full = OnFull::kDenyNew}, clock};
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_TRUE(store.take(name_of("k", i), kFive).allowed);
  const Verdict verdict = request(store, {{.key = "new", .limit = kFive}});
  EXPECT_FALSE(verdict.allowed);
  EXPECT_TRUE(verdict.degraded);
  EXPECT_GT(verdict.bound().retry_after, 0us);
  EXPECT_NE(verdict.bound().retry_after, kNever);
  EXPECT_FALSE(store.take("new", kFive).allowed);
  EXPECT_EQ(store.counters().denied_full, 2U);
  EXPECT_EQ(store.counters().keys, 100U);
  EXPECT_EQ(store.counters().evicted, 0U);
}

TEST(DenyNew, Goes_on_to_decide_known_keys) {
  ManualClock clock;
  MemoryStore store{{.max_keys = 100, .on_full = OnFull::kDenyNew}, clock};
  for (std::uint64_t i = 0; i < 100; ++i) store.take(name_of("k", i), kFive);
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::string key = name_of("k", i);
    const Verdict verdict = request(store, {{.key = key, .limit = kFive, .cost = 4}});
    EXPECT_TRUE(verdict.allowed);
    EXPECT_FALSE(verdict.degraded);
    EXPECT_FALSE(store.take(key, kFive).allowed);
  }
}

TEST(DenyNew, Charges_no_known_key_of_a_request_with_a_new_one) {
  ManualClock clock;
  MemoryStore store{{.max_keys = 1, .on_full = OnFull::kDenyNew}, clock};
  store.take("known", kFive);
  const Verdict verdict =
      request(store, {{.key = "known", .limit = kFive}, {.key = "new", .limit = kFive}});
  EXPECT_FALSE(verdict.allowed);
  EXPECT_TRUE(verdict.degraded);
  EXPECT_EQ(store.check("known", kFive, 0).remaining, 4U);
}

TEST(DenyNew, Admits_only_as_many_new_keys_of_one_request_as_fit) {
  ManualClock clock;
  MemoryStore store{{.max_keys = 1, .on_full = OnFull::kDenyNew}, clock};
  const Verdict verdict =
      request(store, {{.key = "a", .limit = kFive}, {.key = "b", .limit = kFive}});
  EXPECT_LE(store.counters().keys, 1U);
  EXPECT_TRUE(!verdict.allowed || verdict.degraded) << "b was admitted and not charged";
}

TEST(DenyNew, Takes_the_place_of_neutral_keys) {
  for (const bool in_request : {false, true}) {
    ManualClock clock;
    MemoryStore store{{.max_keys = 50, .on_full = OnFull::kDenyNew}, clock};
    for (std::uint64_t i = 0; i < 50; ++i) store.take(name_of("k", i), kASecond);
    clock.advance(1s);
    const bool allowed = in_request ? request(store, {{.key = "new", .limit = kFive}}).allowed
                                    : store.take("new", kFive).allowed;
    EXPECT_TRUE(allowed) << (in_request ? "by request" : "by take");
  }
}

TEST(DenyNew, Checks_as_it_takes) {
  ManualClock clock;
  MemoryStore store{{.max_keys = 1, .on_full = OnFull::kDenyNew}, clock};
  store.take("known", kFive);
  EXPECT_FALSE(store.check("new", kFive).allowed);
  EXPECT_FALSE(store.take("new", kFive).allowed);
  EXPECT_TRUE(store.check("new", kFive, 0).allowed);
  EXPECT_TRUE(store.take("new", kFive, 0).allowed);
}

TEST(DenyNew, Says_degraded_of_that_answer_alone) {
  ManualClock clock;
  MemoryStore store{{.max_keys = 1, .on_full = OnFull::kDenyNew}, clock};
  store.take("known", kFive);
  const std::vector<Take> fresh{{.key = "new", .limit = kFive}};
  const std::vector<Take> known{{.key = "known", .limit = kFive}};
  TakeOp op{.takes = fresh};
  store.submit(op);
  EXPECT_TRUE(op.verdict.degraded);
  op.takes = known;
  store.submit(op);
  EXPECT_TRUE(op.verdict.allowed);
  EXPECT_FALSE(op.verdict.degraded);
}

constexpr std::uint64_t kMaxMemory = 1 << 20;

TEST(MaxMemory, Bounds_states) {
  ManualClock clock;
  MemoryStore store{{.max_memory = kMaxMemory}, clock};
  for (std::uint64_t i = 0; i < 100'000; ++i)
    ASSERT_TRUE(store.take(name_of("k", i), kFive).allowed);
  EXPECT_GE(store.counters().keys, kMaxMemory / 64);
  EXPECT_LE(store.counters().keys * 48, kMaxMemory);
  EXPECT_LE(store.counters().bytes, kMaxMemory * 5 / 4);
}

TEST(MaxMemory, Never_forgets_the_key_that_is_being_charged) {
  ManualClock clock;
  MemoryStore store{{.max_memory = 4'096}, clock};
  constexpr Limit kTwoThousand = "2000/h precision 2000"_limit;
  for (int hit = 0; hit < 2'000; ++hit, clock.advance(1us))
    ASSERT_EQ(store.take("k", kTwoThousand).remaining, 1'999U - static_cast<unsigned>(hit));
  EXPECT_FALSE(store.take("k", kTwoThousand).allowed);
}

// The log alone is above the cap, so a new key wants the other's place: here in another shard,
// which its own request holds.
TEST(MaxMemory, Lets_no_request_wait_for_itself) {
  ManualClock clock;
  constexpr Limit kThousand = "1000/h"_limit;
  for (std::uint64_t i = 0; i < 20; ++i) {
    MemoryStore store{{.max_memory = 2 * 64 * 48}, clock};  // two shards
    for (int hit = 0; hit < 999; ++hit, clock.advance(1us)) store.take("log", kThousand);
    const std::string key = name_of("new", i);
    EXPECT_TRUE(
        request(store, {{.key = "log", .limit = kThousand}, {.key = key, .limit = kFive}}).allowed);
  }
}

TEST(MaxMemory, Bounds_many_small_logs) {
  ManualClock clock;
  MemoryStore store{{.max_memory = kMaxMemory}, clock};
  constexpr Limit kHundred = "100/h"_limit;
  for (std::uint64_t i = 0; i < 3'000; ++i)
    for (int hit = 0; hit < 50; ++hit, clock.advance(1us)) store.take(name_of("k", i), kHundred);
  EXPECT_GT(store.counters().evicted, 0U);
  EXPECT_LE(store.counters().bytes, kMaxMemory * 5 / 4);
}

TEST(MaxMemory, Bounds_a_few_large_logs_among_many_states) {
  ManualClock clock;
  MemoryStore store{{.max_memory = kMaxMemory}, clock};
  for (std::uint64_t i = 0; i < 30'000; ++i) store.take(name_of("small", i), kFive);
  constexpr Limit kLarge = "20000/h precision 20000"_limit;
  for (std::uint64_t i = 0; i < 10; ++i)
    for (int hit = 0; hit < 20'000; ++hit, clock.advance(1us))
      store.take(name_of("log", i), kLarge);
  EXPECT_LE(store.counters().bytes, kMaxMemory * 5 / 4);
}

}  // namespace
}  // namespace tidegate::test
