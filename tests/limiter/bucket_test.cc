#include "tidegate/bucket.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/store_limits.h"
#include "tests/support/store_print.h"
#include "tidegate/store/memory/memory_store.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;

constexpr Limit kFive = "5/60s"_limit;

TEST(Bucket, Takes_until_the_limit_and_again_later) {
  ManualClock clock;
  Bucket bucket{kFive, clock};
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(bucket.take().remaining, 4 - i);
  const Decision denied = bucket.take();
  EXPECT_FALSE(denied.allowed);
  clock.advance(denied.retry_after - 1us);
  EXPECT_FALSE(bucket.take().allowed);
  clock.advance(1us);
  EXPECT_TRUE(bucket.take(5).allowed);
}

TEST(Bucket, Checks_without_a_change) {
  ManualClock clock;
  Bucket bucket{kFive, clock};
  EXPECT_EQ(bucket.check(5), bucket.check(5));
  EXPECT_TRUE(bucket.check(5).allowed);
  EXPECT_EQ(bucket.check(6).retry_after, kNever);
  EXPECT_EQ(bucket.take(0).remaining, 5U);
}

TEST(Bucket, Gives_back_what_was_taken) {
  for (const LimitCase& each : limit_cases()) {
    ManualClock clock;
    Bucket bucket{each.limit, clock};
    const Decision taken = bucket.take(3);
    bucket.give_back(2, taken.at);
    EXPECT_EQ(bucket.check(0).remaining, each.limit.capacity() - 1) << each.name;
    bucket.give_back(100, taken.at);
    EXPECT_EQ(bucket.check(0).remaining, each.limit.capacity()) << each.name;
  }
}

TEST(Bucket, Resets) {
  for (const LimitCase& each : limit_cases()) {
    ManualClock clock;
    Bucket bucket{each.limit, clock};
    EXPECT_TRUE(bucket.take(each.limit.capacity()).allowed);
    bucket.reset();
    EXPECT_TRUE(bucket.take(each.limit.capacity()).allowed) << each.name;
    EXPECT_EQ(bucket.limit(), each.limit);
  }
}

TEST(Bucket, Decides_as_a_store_does_of_one_key) {
  for (const LimitCase& each : limit_cases()) {
    for_each_trace(20, [&](Random& random) {
      ManualClock clock;
      Bucket bucket{each.limit, clock};
      MemoryStore store{{}, clock};
      for (int i = 0; i < 200; ++i) {
        const Cost cost = random.between(0, 3);
        const Decision taken = bucket.take(cost);
        ASSERT_EQ(taken, store.take("k", each.limit, cost));
        if (random.chance(20)) {
          bucket.give_back(1, taken.at);
          store.give_back("k", each.limit, 1, taken.at);
        }
        ASSERT_EQ(bucket.check(), store.check("k", each.limit));
        clock.advance(Duration{random.between(0, 20'000'000)});
      }
    });
  }
}

TEST(Bucket, Gives_many_threads_exactly_the_limit) {
  for (const LimitCase& each : limit_cases()) {
    ManualClock clock;
    Bucket bucket{with_more(each.limit, 5'000), clock};
    std::atomic<std::uint32_t> admitted{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 1'000; ++i) admitted += bucket.take().allowed;
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(admitted, bucket.limit().capacity()) << each.name;
  }
}

TEST(Bucket, Reads_the_systems_clock_by_itself) {
  Bucket bucket{"1/366d"_limit};
  EXPECT_TRUE(bucket.take().allowed);
  EXPECT_FALSE(bucket.take().allowed);
}

}  // namespace
}  // namespace tidegate::test
