// The laws of one key, for every store and every algorithm in each of its shapes.
//
// A part of the conformance suite; include conformance.h. Times are multiples of a millisecond.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <tuple>
#include <utility>

#include "tests/support/random.h"
#include "tests/support/store_limits.h"
#include "tests/support/store_scene.h"

namespace tidegate::test {

class StoreLaw : public StoreScene,
                 public ::testing::WithParamInterface<std::tuple<StoreCase, LimitCase>> {
 protected:
  void SetUp() override { open(std::get<0>(GetParam())); }
  const Limit& limit() const { return std::get<1>(GetParam()).limit; }
  Cost capacity() const { return limit().capacity(); }

  // Some spent, some left, at two different times.
  void spend_some(std::string_view key) {
    EXPECT_TRUE(take(key, limit(), 2).allowed);
    advance(std::chrono::milliseconds{700});
    EXPECT_TRUE(take(key, limit(), 1).allowed);
  }

  static Limit other_algorithm(const Limit& limit) {
    return limit.algorithm() == Algorithm::kFixedWindow ? "5/60s"_limit
                                                        : "5/60s algorithm fixed_window"_limit;
  }
};

TEST_P(StoreLaw, A_fresh_key_has_its_whole_capacity) {
  EXPECT_EQ(remaining("k", limit()), capacity());
  EXPECT_EQ(check("k", limit(), 0).reset_after, Duration{0});
  EXPECT_EQ(use_up("k", limit()), capacity());
}

TEST_P(StoreLaw, Two_takes_in_one_tick_count_as_two) {
  EXPECT_EQ(take("k", limit()).remaining, capacity() - 1);
  EXPECT_EQ(take("k", limit()).remaining, capacity() - 2);
}

TEST_P(StoreLaw, Denied_until_retry_after_and_admitted_at_it) {
  for (const Cost cost : {Cost{1}, Cost{2}, capacity() - 1, capacity()}) {
    const std::string key = "cost " + std::to_string(cost);
    spend_some(key);
    use_up(key, limit());
    advance(std::chrono::milliseconds{1'300});
    expect_exact_wait(key, limit(), cost, take(key, limit(), cost));
  }
}

TEST_P(StoreLaw, Denied_at_any_instant_before_retry_after) {
  use_up("k", limit());
  const Duration wait = in_ticks(take("k", limit()).retry_after);
  const Time used_up = now();
  for (int i = 0; i < 16; ++i) {
    set(used_up + wait / tick() * i / 16 * tick());
    const Decision denied = take("k", limit());
    EXPECT_FALSE(denied.allowed);
    EXPECT_EQ(now() + in_ticks(denied.retry_after), used_up + wait);
  }
}

TEST_P(StoreLaw, Denied_changes_nothing) {
  for (const char* key : {"hammered", "calm"}) {
    set(kStart);
    spend_some(key);
    use_up(key, limit());
  }
  const Time last = now() + longest_wait(limit()) + limit().period();
  for (; now() < last; advance(std::chrono::milliseconds{1'700})) {
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(take("hammered", limit(), capacity() + 1).allowed);
    if (!check("hammered", limit()).allowed) {
      EXPECT_FALSE(take("hammered", limit()).allowed);
    }
    expect_equal_keys("hammered", "calm", limit());
  }
}

TEST_P(StoreLaw, Cost_zero_is_allowed_and_writes_nothing) {
  EXPECT_TRUE(take("looked at", limit(), 0).allowed);
  for (const char* key : {"looked at", "calm"}) {
    set(kStart);
    spend_some(key);
  }
  for (int i = 0; i < 50; ++i, advance(std::chrono::milliseconds{1'700})) {
    const Decision looked = take("looked at", limit(), 0);
    EXPECT_TRUE(looked.allowed);
    EXPECT_EQ(looked.retry_after, Duration{0});
    EXPECT_EQ(looked.remaining, check("calm", limit(), 0).remaining);
    expect_equal_keys("looked at", "calm", limit());
  }
}

TEST_P(StoreLaw, Cost_above_capacity_is_never) {
  spend_some("k");
  const Decision before = check("k", limit(), 0);
  for (const Cost cost : {capacity() + 1, Cost{1} << 32, std::numeric_limits<Cost>::max()}) {
    for (const char* key : {"k", "fresh"}) {
      const Decision denied = take(key, limit(), cost);
      EXPECT_FALSE(denied.allowed);
      EXPECT_EQ(denied.retry_after, kNever);
    }
  }
  EXPECT_EQ(check("k", limit(), 0), before);
  EXPECT_EQ(remaining("fresh", limit()), capacity());
}

TEST_P(StoreLaw, Remaining_is_the_largest_cost_admitted_now) {
  spend_some("k");
  const Cost left = remaining("k", limit());
  EXPECT_FALSE(take("k", limit(), left + 1).allowed);
  EXPECT_TRUE(take("k", limit(), left).allowed);
  EXPECT_EQ(remaining("k", limit()), 0U);
}

TEST_P(StoreLaw, Reset_after_is_when_it_is_full_again) {
  spend_some("k");
  const Time full = now() + in_ticks(check("k", limit(), 0).reset_after);
  set(full - tick());
  EXPECT_LT(remaining("k", limit()), capacity());
  set(full);
  EXPECT_EQ(remaining("k", limit()), capacity());
}

TEST_P(StoreLaw, Check_says_what_a_take_then_gets) {
  for (int i = 0; i < 30; ++i, advance(std::chrono::milliseconds{2'900})) {
    const Decision foretold = check("k", limit(), 1 + i % 3);
    EXPECT_EQ(take("k", limit(), 1 + i % 3), foretold);
  }
}

TEST_P(StoreLaw, No_tokens_block) {
  const Limit none = with_more(limit(), -std::int64_t{limit().tokens()});
  const Decision denied = take("k", none);
  EXPECT_FALSE(denied.allowed);
  EXPECT_EQ(denied.retry_after, kNever);
  EXPECT_EQ(denied.capacity, 0U);
  EXPECT_TRUE(check("k", none, 0).allowed);
}

// Admissions in true time, of which a stepping clock knows nothing.
class Admissions {
 public:
  explicit Admissions(const Limit& limit) : limit_{limit} {}

  void add(Time true_time, Cost cost) {
    newest_.emplace_back(true_time, cost);
    sum_ += cost;
    while (newest_.front().first <= true_time - limit_.period()) {
      sum_ -= newest_.front().second;
      newest_.pop_front();
    }
  }
  Cost within_a_period() const { return sum_; }

 private:
  Limit limit_;
  std::deque<std::pair<Time, Cost>> newest_;
  Cost sum_ = 0;
};

TEST_P(StoreLaw, Never_more_than_promised_in_any_period) {
  for_each_trace(5, [&](Random& random) {
    SetUp();
    Admissions admissions{limit()};
    for (int i = 0; i < 300; ++i) {
      const Cost cost = random.chance(25) ? random.between(1, 3) : 1;
      if (take("k", limit(), cost).allowed) admissions.add(now(), cost);
      ASSERT_LE(admissions.within_a_period(), promise(limit())) << "step " << i;
      advance(std::chrono::milliseconds{random.between(0, random.chance(30) ? 30'000 : 1'000)});
    }
  });
}

TEST_P(StoreLaw, Never_more_than_promised_though_the_clock_steps_back) {
  for_each_trace(5, [&](Random& random) {
    SetUp();
    Admissions admissions{limit()};
    Time true_time = kStart;
    for (int i = 0; i < 300; ++i) {
      if (take("k", limit()).allowed) admissions.add(true_time, 1);
      ASSERT_LE(admissions.within_a_period(), promise(limit())) << "step " << i;
      const std::chrono::milliseconds passed{random.between(0, 6'000)};
      true_time += passed;
      advance(passed);
      if (random.chance(10)) advance(-std::chrono::milliseconds{random.between(0, 150'000)});
    }
  });
}

TEST_P(StoreLaw, A_step_back_neither_admits_extra_nor_blocks_for_long) {
  using namespace std::chrono_literals;
  for (const Duration step : {Duration{1s}, Duration{1h}, Duration{24h * 30}}) {
    const std::string key = "stepped " + std::to_string(step.count());
    set(kStart + 90s);
    EXPECT_EQ(use_up(key, limit()), capacity());
    advance(-step);
    EXPECT_EQ(remaining(key, limit()), 0U);
    const Decision denied = take(key, limit());
    EXPECT_LE(denied.retry_after, longest_wait(limit()) + limit().period());
    expect_exact_wait(key, limit(), 1, denied);
  }
}

TEST_P(StoreLaw, A_denial_after_a_step_back_is_repaired) {
  using namespace std::chrono_literals;
  use_up("k", limit());
  advance(-1h);
  const Decision first = take("k", limit());
  advance(1s);
  EXPECT_EQ(take("k", limit()).retry_after, first.retry_after - Duration{1s});
}

TEST_P(StoreLaw, Ten_years_forward_is_a_full_quota) {
  use_up("k", limit());
  advance(std::chrono::hours{24 * 3'653});
  EXPECT_EQ(remaining("k", limit()), capacity());
  EXPECT_EQ(use_up("k", limit()), capacity());
  expect_exact_wait("k", limit(), 1, take("k", limit()));
}

TEST_P(StoreLaw, A_raised_limit_gives_the_difference_at_once) {
  EXPECT_TRUE(take("k", limit(), 3).allowed);
  const Limit raised = with_more(limit(), 4);
  EXPECT_EQ(remaining("k", raised), capacity() - 3 + 4);
  EXPECT_EQ(use_up("k", raised), capacity() - 3 + 4);
}

TEST_P(StoreLaw, A_lowered_limit_keeps_what_was_used) {
  EXPECT_TRUE(take("k", limit(), 2).allowed);
  const Limit lowered = with_more(limit(), -1);
  EXPECT_EQ(remaining("k", lowered), capacity() - 2 - 1);
  EXPECT_EQ(use_up("k", lowered), capacity() - 2 - 1);
}

TEST_P(StoreLaw, An_overfull_key_waits_for_as_long_as_the_lowered_limit_may) {
  use_up("k", limit());
  const Limit lowered = with_more(limit(), -1);
  const Decision denied = take("k", lowered);
  EXPECT_EQ(denied.remaining, 0U);
  EXPECT_LE(denied.retry_after, longest_wait(lowered));
  expect_exact_wait("k", lowered, 1, denied);
}

TEST_P(StoreLaw, A_shorter_period_is_no_fresh_quota_and_no_lock_out) {
  use_up("k", limit());
  const Limit shorter = with_more(limit(), 0, limit().period() / 2);
  const Decision denied = take("k", shorter);
  EXPECT_EQ(denied.remaining, 0U);
  EXPECT_LE(denied.retry_after, longest_wait(shorter));
  expect_exact_wait("k", shorter, 1, denied);
}

// Later than the state would have been neutral under the shorter one it may have been forgotten.
TEST_P(StoreLaw, A_longer_period_is_no_fresh_quota_and_no_lock_out) {
  using namespace std::chrono_literals;
  for (const Duration period : {Duration{61s}, Duration{1h}}) {
    const std::string key = "period " + std::to_string(period.count());
    use_up(key, limit());
    const Duration neutral = check(key, limit(), 0).reset_after;
    const Limit longer = with_more(limit(), 0, period);
    const Decision denied = take(key, longer);
    EXPECT_EQ(denied.remaining, 0U);
    EXPECT_LE(denied.retry_after, longest_wait(longer));
    const Time used_up = now();
    set(used_up + std::min(in_ticks(denied.retry_after), neutral) - tick());
    EXPECT_FALSE(take(key, longer).allowed);
    set(used_up + in_ticks(denied.retry_after));
    EXPECT_TRUE(take(key, longer).allowed);
  }
}

TEST_P(StoreLaw, Another_algorithm_is_another_state) {
  use_up("k", limit());
  EXPECT_EQ(remaining("k", other_algorithm(limit())), 5U);
  EXPECT_TRUE(take("k", other_algorithm(limit())).allowed);
  EXPECT_EQ(remaining("k", limit()), 0U);
  EXPECT_EQ(remaining("k", other_algorithm(limit())), 4U);
}

TEST_P(StoreLaw, What_is_given_back_at_once_was_never_taken) {
  spend_some("k");
  const Decision before = check("k", limit());
  const Decision taken = take("k", limit(), 2);
  give_back("k", limit(), 2, taken.at);
  EXPECT_EQ(check("k", limit()), before);
}

TEST_P(StoreLaw, Giving_back_later_never_gives_more_than_the_take_took) {
  const Time taken = take("gave back", limit(), 2).at;
  for (const Duration wait : {Duration{0}, limit().period() / 5, limit().period() / 2}) {
    advance(wait);
    EXPECT_TRUE(take("gave back", limit(), 1).allowed);
    EXPECT_TRUE(take("never took", limit(), 1).allowed);
    const std::uint32_t before = remaining("gave back", limit());
    give_back("gave back", limit(), wait == Duration{0} ? 0 : 1, taken);
    EXPECT_GE(remaining("gave back", limit()), before);
    EXPECT_LE(remaining("gave back", limit()), remaining("never took", limit()));
  }
}

TEST_P(StoreLaw, Giving_back_is_a_no_op_once_the_take_has_expired) {
  const Decision expired = take("k", limit(), 2);
  advance(longest_wait(limit()) + limit().period());
  EXPECT_EQ(remaining("k", limit()), capacity());
  EXPECT_TRUE(take("k", limit(), 1).allowed);
  give_back("k", limit(), 2, expired.at);
  EXPECT_EQ(remaining("k", limit()), capacity() - 1);
}

TEST_P(StoreLaw, Giving_back_never_fills_above_full) {
  const Decision taken = take("k", limit(), 1);
  for (const Cost cost : {Cost{1}, Cost{100}, std::numeric_limits<Cost>::max()}) {
    give_back("k", limit(), cost, taken.at);
    EXPECT_EQ(remaining("k", limit()), capacity());
  }
  give_back("unknown", limit(), 3, now());
  give_back("unknown", limit(), 3);
  EXPECT_EQ(use_up("unknown", limit()), capacity());
  EXPECT_EQ(use_up("k", limit()), capacity());
}

// Those that keep no single charges cannot tell how old the oldest is, and change nothing.
TEST_P(StoreLaw, Giving_back_without_a_time_reduces_the_oldest_charge_that_is_known) {
  const bool known = limit().algorithm() == Algorithm::kSlidingWindow ||
                     limit().algorithm() == Algorithm::kSlidingWindowCounter;
  EXPECT_TRUE(take("k", limit(), 2).allowed);
  EXPECT_TRUE(take("never took", limit(), known ? 1 : 2).allowed);
  give_back("k", limit(), 1);
  EXPECT_EQ(remaining("k", limit()), remaining("never took", limit()));
  advance(limit().period() / 10);
  EXPECT_TRUE(take("k", limit(), 1).allowed);
  EXPECT_TRUE(take("never took", limit(), 1).allowed);
  give_back("k", limit(), 1);
  EXPECT_LE(remaining("k", limit()), remaining("never took", limit()) + (known ? 1U : 0U));
  EXPECT_GE(remaining("k", limit()), remaining("never took", limit()));
}

TEST_P(StoreLaw, Reset_is_a_fresh_key) {
  use_up("k", limit());
  use_up("other", limit());
  reset("k");
  EXPECT_EQ(check("k", limit()), check("fresh", limit()));
  EXPECT_EQ(remaining("other", limit()), 0U);
}

}  // namespace tidegate::test
