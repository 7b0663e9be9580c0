// Small limiters that people have published, with their faults repaired: same calls, right answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/limiter/virtual_clock.h"
#include "tests/support/random.h"
#include "tests/support/store_print.h"
#include "tidegate/limiter.h"
#include "tidegate/store/memory/memory_store.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;

class ArticleTest : public ::testing::Test {
 protected:
  bool take(std::string_view key, const Limit& limit) { return limiter_.take(key, limit)->allowed; }

  ManualClock clock_;
  MemoryStore store_{{}, clock_};
  Limiter limiter_{store_, clock_};
};

// A set of times per user and action: two hits of one millisecond were counted as one.
TEST_F(ArticleTest, Fifteen_views_a_millisecond_apart_are_five_and_ten) {
  for (int i = 0; i < 15; ++i, clock_.advance(1ms))
    EXPECT_EQ(take("liziba:view", "5/60s"_limit), i < 5) << "call " << i;
}

TEST_F(ArticleTest, Fifteen_views_in_one_millisecond_are_five_and_ten) {
  for (int i = 0; i < 15; ++i) EXPECT_EQ(take("liziba:view", "5/60s"_limit), i < 5) << "call " << i;
}

// Its refused hits were added too: a client that kept trying was never let in again.
TEST_F(ArticleTest, A_client_that_keeps_trying_is_let_in_when_its_time_has_come) {
  const Time start = clock_.now();
  for (int i = 0; i < 5; ++i) take("liziba:view", "5/60s"_limit);
  for (clock_.advance(1ms); clock_.now() < start + 60s; clock_.advance(100ms))
    EXPECT_FALSE(take("liziba:view", "5/60s"_limit));
  EXPECT_TRUE(take("liziba:view", "5/60s"_limit));
}

// 20 requests in 10 seconds of a counter that expires.
TEST_F(ArticleTest, Twenty_in_ten_seconds_of_a_fixed_window) {
  constexpr Limit kTwenty = "20/10s algorithm fixed_window"_limit;
  const Time edge = clock_.now();  // a multiple of 10 s
  ASSERT_EQ(edge.time_since_epoch() % 10s, 0s);
  for (int i = 0; i < 100; ++i, clock_.advance(100ms))
    EXPECT_EQ(take("k", kTwenty), i < 20) << "call " << i;
  for (int i = 0; i < 25; ++i) EXPECT_EQ(take("k", kTwenty), i < 20) << "call " << i;
  clock_.set(edge + 20s - 1us);
  EXPECT_FALSE(take("k", kTwenty));
  clock_.set(edge + 20s);
  EXPECT_TRUE(take("k", kTwenty));
}

TEST_F(ArticleTest, A_fixed_window_is_gone_when_it_is_over) {
  take("k", "20/10s algorithm fixed_window"_limit);
  clock_.advance(10s);
  store_.sweep(1'000);
  EXPECT_EQ(store_.counters().keys, 0U);
}

// Checked and added in two steps: callers at once got in together, and six passed.
TEST_F(ArticleTest, Five_a_minute_are_exactly_five_under_concurrent_callers) {
  for (int minute = 0; minute < 20; ++minute, clock_.advance(60s)) {
    std::atomic<int> passed{0};
    std::vector<std::thread> callers;
    for (int t = 0; t < 8; ++t)
      callers.emplace_back([&] {
        for (int i = 0; i < 50; ++i) passed += take("k", "5/min"_limit);
      });
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(passed, 5);
  }
}

TEST_F(ArticleTest, A_window_of_hits_takes_no_more_memory_for_what_it_refuses) {
  for (int i = 0; i < 5; ++i) take("k", "5/min"_limit);
  const std::uint64_t bytes = store_.counters().bytes;
  for (int i = 0; i < 10'000; ++i, clock_.advance(1ms)) take("k", "5/min"_limit);
  EXPECT_EQ(store_.counters().bytes, bytes);
}

// A queue of the last passes per id.
TEST_F(ArticleTest, The_published_trace_of_five_in_ten_seconds) {
  const Time start = clock_.now();
  const auto at = [&](Duration since) {
    clock_.set(start + since);
    return take("id", "5/10s"_limit);
  };
  for (const Duration passes : {1000ms, 2800ms, 4000ms, 5500ms, 7000ms}) EXPECT_TRUE(at(passes));
  EXPECT_FALSE(at(8s));
  for (Duration t = 8s; t < Duration{11s}; t += 50ms) EXPECT_FALSE(at(t));
  EXPECT_FALSE(at(11s - 1us));
  EXPECT_TRUE(at(11100ms));
  EXPECT_FALSE(at(11200ms));
  EXPECT_FALSE(at(12800ms - 1us));
  EXPECT_TRUE(at(12800ms));
}

// All that passed for one id, and the most in any window.
class Passes {
 public:
  void add(Time t) {
    const std::lock_guard lock{mutex_};
    times_.push_back(t);
  }

  std::size_t most_within(Duration window) {
    std::sort(times_.begin(), times_.end());
    std::size_t most = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < times_.size(); ++i) {
      while (times_[first] <= times_[i] - window) ++first;
      most = std::max(most, i - first + 1);
    }
    return most;
  }

  std::size_t count() const { return times_.size(); }

 private:
  std::mutex mutex_;
  std::vector<Time> times_;
};

TEST(Article, Two_threads_that_sleep_at_random_pass_at_most_twice_in_ten_seconds) {
  VirtualClock clock{2};
  MemoryStore store{{}, clock};
  Limiter limiter{store, clock};
  Passes passes;
  run_threads(clock, 2, [&](int t) {
    Random random{first_seed() + static_cast<std::uint64_t>(t)};
    for (int i = 0; i < 2'000; ++i) {
      if (limiter.take("id", "2/10s"_limit)->allowed) passes.add(clock.now());
      clock.sleep_until(clock.now() + Duration{random.between(0, 8'000'000)});
    }
  });
  EXPECT_EQ(passes.most_within(10s), 2U);
  EXPECT_GT(passes.count(), 1'000U);
}

TEST_F(ArticleTest, Idle_ids_leave_memory) {
  for (int i = 0; i < 10'000; ++i) take("id " + std::to_string(i), "5/10s"_limit);
  const std::uint64_t full = store_.counters().bytes;
  EXPECT_EQ(store_.counters().keys, 10'000U);
  clock_.advance(10s);
  while (store_.sweep(1'000) > 0) {
  }
  EXPECT_EQ(store_.counters().keys, 0U);
  EXPECT_LT(store_.counters().bytes, full / 10);
}

}  // namespace
}  // namespace tidegate::test
