// Taking with patience: acquire sleeps until retry_after, and no longer than its deadline allows.
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "tests/limiter/virtual_clock.h"
#include "tests/support/delayed_store.h"
#include "tests/support/random.h"
#include "tests/support/store_limits.h"
#include "tests/support/store_print.h"
#include "tidegate/limiter.h"
#include "tidegate/store/memory/memory_store.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;

constexpr Limit kThree = "3/10s algorithm fixed_window"_limit;

TEST(Acquire, Takes_at_once_what_is_there) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  Limiter limiter{store, clock};
  const Time start = clock.now();
  EXPECT_TRUE(limiter.acquire("k", kThree, start)->allowed);
  EXPECT_TRUE(limiter.acquire("k", kThree, start - 1s)->allowed);
  EXPECT_EQ(clock.now(), start);
}

TEST(Acquire, Waits_exactly_until_it_may) {
  for (const LimitCase& each : limit_cases()) {
    ManualClock clock;
    MemoryStore store{{}, clock};
    Limiter limiter{store, clock};
    while (limiter.take("k", each.limit)->allowed) {
    }
    const Time when = clock.now() + limiter.check("k", each.limit)->retry_after;
    EXPECT_TRUE(limiter.acquire("k", each.limit, kEndOfTime)->allowed) << each.name;
    EXPECT_EQ(clock.now(), when) << each.name;
  }
}

TEST(Acquire, Waits_to_its_deadline_and_no_longer) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  Limiter limiter{store, clock};
  EXPECT_TRUE(limiter.take("k", kThree, 3)->allowed);
  const Time start = clock.now();
  const Decision refused = *limiter.acquire("k", kThree, start + 10s - 1us);
  EXPECT_FALSE(refused.allowed);
  EXPECT_EQ(refused.retry_after, 10s);
  EXPECT_EQ(clock.now(), start) << "it waited in vain";
  EXPECT_TRUE(limiter.acquire("k", kThree, start + 10s)->allowed);
  EXPECT_EQ(clock.now(), start + 10s);
}

TEST(Acquire, Never_waits_for_what_can_never_be) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  Limiter limiter{store, clock};
  const Time start = clock.now();
  const Expected<Decision> never = limiter.acquire("k", kThree, kEndOfTime, 4);
  EXPECT_FALSE(never->allowed);
  EXPECT_EQ(never->retry_after, kNever);
  EXPECT_FALSE(limiter.acquire("k", kThree, kEndOfTime, -1));
  EXPECT_EQ(clock.now(), start);
}

TEST(Acquire, Of_a_whole_quota_waits_for_all_of_it) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  Limiter limiter{store, clock};
  const Time start = clock.now();
  EXPECT_TRUE(limiter.take("k", "3/10s"_limit)->allowed);
  clock.advance(4s);
  EXPECT_TRUE(limiter.take("k", "3/10s"_limit)->allowed);
  EXPECT_TRUE(limiter.acquire("k", "3/10s"_limit, kEndOfTime, 3)->allowed);
  EXPECT_EQ(clock.now(), start + 14s);
}

// When each of some waiting threads got its grant, in seconds since the start, in order.
std::vector<std::int64_t> grants_of(int threads, const Limit& limit, bool late) {
  VirtualClock clock{static_cast<std::size_t>(threads)};
  MemoryStore store{{}, clock};
  DelayedStore delayed{store, first_seed()};
  delayed.start_thread();
  Limiter limiter = late ? Limiter{static_cast<Store&>(delayed), clock} : Limiter{store, clock};
  const Time start = clock.now();
  std::mutex mutex;
  std::vector<std::int64_t> grants;
  run_threads(clock, threads, [&](int) {
    const Expected<Decision> granted = limiter.acquire("k", limit, kEndOfTime);
    const std::lock_guard lock{mutex};
    EXPECT_TRUE(granted->allowed);
    grants.push_back((clock.now() - start) / 1s);
  });
  std::sort(grants.begin(), grants.end());
  return grants;
}

TEST(Acquire, Lets_nine_waiters_through_three_by_three) {
  const std::vector<std::int64_t> expected{0, 0, 0, 10, 10, 10, 20, 20, 20};
  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(grants_of(9, kThree, false), expected);
    EXPECT_EQ(grants_of(9, kThree, true), expected);
    EXPECT_EQ(grants_of(9, "3/10s"_limit, false), expected);
  }
}

TEST(Acquire, Lets_waiters_through_one_by_one_as_a_bucket_drips) {
  EXPECT_EQ(grants_of(6, "1/5s burst 2"_limit, false),
            (std::vector<std::int64_t>{0, 0, 5, 10, 15, 20}));
}

}  // namespace
}  // namespace tidegate::test
