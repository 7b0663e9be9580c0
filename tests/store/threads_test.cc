// Many threads, one truth: never more than the limit, and no lock waited for in a ring.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <functional>
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

void run_threads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back(body, t);
  for (std::thread& thread : threads) thread.join();
}

TEST(Threads, SixtyFour_on_one_fresh_key_get_exactly_the_limit) {
  constexpr int kThreads = 64;
  constexpr int kRounds = 1'000;
  ManualClock clock;
  MemoryStore store{{}, clock};
  std::vector<std::atomic<std::uint32_t>> admitted(kRounds);
  std::barrier start{kThreads};
  run_threads(kThreads, [&](int) {
    for (int round = 0; round < kRounds; ++round) {
      const std::string key = "fresh " + std::to_string(round);
      const Limit& limit =
          limit_cases()[static_cast<std::size_t>(round) % limit_cases().size()].limit;
      start.arrive_and_wait();
      admitted[static_cast<std::size_t>(round)] += store.take(key, limit).allowed;
    }
  });
  for (std::size_t round = 0; round < kRounds; ++round)
    ASSERT_EQ(admitted[round], limit_cases()[round % limit_cases().size()].limit.capacity());
}

// What each of some keys was charged, by everyone's own account.
class Ledger {
 public:
  static constexpr std::size_t kKeys = 16;
  static constexpr Limit kLimit = "500/d algorithm fixed_window"_limit;

  Ledger() {
    for (std::size_t i = 0; i < kKeys; ++i) keys_[i] = "key " + std::to_string(i);
  }

  const std::string& key(std::size_t i) const { return keys_[i]; }
  void charge(std::size_t i, std::int64_t cost) { charged_[i] += cost; }

  void expect_all_in(const MemoryStore& store) const {
    for (std::size_t i = 0; i < kKeys; ++i) {
      EXPECT_LE(charged_[i], kLimit.tokens());
      EXPECT_EQ(store.check(keys_[i], kLimit, 0).remaining, kLimit.tokens() - charged_[i]);
    }
  }

 private:
  std::array<std::string, kKeys> keys_;
  std::array<std::atomic<std::int64_t>, kKeys> charged_{};
};

// Some distinct keys in random order: rings of waiting threads, were there any.
std::vector<std::size_t> some_keys(Random& random) {
  std::vector<std::size_t> keys(Ledger::kKeys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = i;
    std::swap(keys[i], keys[static_cast<std::size_t>(random.between(0, static_cast<int>(i)))]);
  }
  keys.resize(static_cast<std::size_t>(random.between(2, 6)));
  return keys;
}

void ask_for_several(MemoryStore& store, Ledger& ledger, Random& random) {
  const std::vector<std::size_t> keys = some_keys(random);
  std::vector<Take> takes;
  for (const std::size_t i : keys)
    takes.push_back({.key = ledger.key(i), .limit = Ledger::kLimit, .cost = random.between(1, 3)});
  TakeOp op{.takes = takes};
  store.submit(op);
  if (!op.verdict.allowed) return;
  for (std::size_t i = 0; i < keys.size(); ++i) ledger.charge(keys[i], takes[i].cost);
}

void ask_for_one(MemoryStore& store, Ledger& ledger, Random& random) {
  const auto i = static_cast<std::size_t>(random.between(0, Ledger::kKeys - 1));
  const Decision taken = store.take(ledger.key(i), Ledger::kLimit, 2);
  if (!taken.allowed) return;
  ledger.charge(i, 2);
  if (!random.chance(50)) return;
  store.give_back(ledger.key(i), Ledger::kLimit, 1, taken.at);
  ledger.charge(i, -1);
}

TEST(Threads, Of_requests_in_any_order_neither_wait_in_a_ring_nor_over_admit) {
  ManualClock clock;
  MemoryStore store{{.sweep_interval = Duration{1}}, clock};
  const Sweeper sweeper{store, std::chrono::milliseconds{1}};
  Ledger ledger;
  run_threads(8, [&](int t) {
    Random random{first_seed() + static_cast<std::uint64_t>(t)};
    for (int i = 0; i < (kSanitized ? 1'000 : 20'000); ++i)
      random.chance(60) ? ask_for_several(store, ledger, random)
                        : ask_for_one(store, ledger, random);
  });
  ledger.expect_all_in(store);
}

TEST(Threads, Of_batches_never_over_admit) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  Ledger ledger;
  run_threads(4, [&](int t) {
    Random random{first_seed() + static_cast<std::uint64_t>(t)};
    for (int i = 0; i < 500; ++i) {
      std::vector<std::size_t> keys;
      std::vector<Take> takes;
      for (int k = 0; k < 40; ++k) {
        keys.push_back(static_cast<std::size_t>(random.between(0, Ledger::kKeys - 1)));
        takes.push_back({.key = ledger.key(keys.back()), .limit = Ledger::kLimit});
      }
      std::vector<Decision> decisions(takes.size());
      store.take_batch(takes, decisions);
      for (std::size_t k = 0; k < keys.size(); ++k) ledger.charge(keys[k], decisions[k].allowed);
    }
  });
  ledger.expect_all_in(store);
}

TEST(Threads, Grow_sweep_evict_and_reset_together) {
  ManualClock clock;
  MemoryStore store{{.max_keys = 3'000, .sweep_interval = Duration{100}}, clock};
  const Sweeper sweeper{store, std::chrono::milliseconds{1}};
  run_threads(4, [&](int t) {
    Random random{first_seed() + static_cast<std::uint64_t>(t)};
    for (int i = 0; i < (kSanitized ? 3'000 : 40'000); ++i) {
      const std::string key = "k" + std::to_string(random.between(0, 6'000));
      const std::string other = key + "'";
      const Limit& limit = random.pick_from(limit_cases()).limit;
      const std::vector<Take> takes{{.key = key, .limit = limit}, {.key = other, .limit = limit}};
      TakeOp op{.takes = takes};
      if (random.chance(60)) {
        store.take(key, limit);
      } else if (random.chance(80)) {
        store.submit(op);
      } else {
        store.reset(key);
      }
      clock.advance(Duration{random.between(0, 2'000)});
    }
  });
  EXPECT_LE(store.counters().keys, 3'000U);
  EXPECT_GT(store.counters().swept + store.counters().evicted, 0U);
}

}  // namespace
}  // namespace tidegate::test
