// What each algorithm is, in small stories: what it promises, that the promise is tight, and how it
// takes a change of the limit, a step of the clock and a gift back.
#include "tidegate/algorithm/algorithm.h"

#include <gtest/gtest.h>

#include <chrono>
#include <variant>
#include <vector>

#include "tests/support/key.h"
#include "tests/support/limits.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;

class Algorithms : public testing::TestWithParam<Kind> {
 protected:
  static Limit limit(std::uint64_t tokens, Duration period) {
    return limit_of(spec_of(GetParam(), tokens, period));
  }
};
INSTANTIATE_TEST_SUITE_P(All, Algorithms, testing::ValuesIn(kKinds), name_of_param);

TEST_P(Algorithms, Make_the_state_of_their_own_type) {
  with_state_type(GetParam().algorithm, []<class S>(std::type_identity<S>) {
    EXPECT_TRUE(std::holds_alternative<S>(make_state(GetParam().algorithm)));
  });
}

TEST_P(Algorithms, Start_with_everything_available) {
  const Key key{limit(5, 60s)};
  EXPECT_EQ(key.peek(),
            (Decision{.at = key.now(), .capacity = 5, .remaining = 5, .allowed = true}));
}

TEST_P(Algorithms, Count_two_takes_of_one_instant_as_two) {
  Key key{limit(5, 60s)};
  EXPECT_EQ(key.take().remaining, 4U);
  EXPECT_EQ(key.take().remaining, 3U);
}

TEST_P(Algorithms, Charge_a_cost_whole) {
  Key key{limit(5, 60s)};
  EXPECT_EQ(key.take(3).remaining, 2U);
  EXPECT_FALSE(key.take(3).allowed);
  EXPECT_EQ(key.take(2).remaining, 0U);
}

TEST_P(Algorithms, Leave_the_state_as_it_was_when_they_deny) {
  Key key{limit(5, 60s)};
  key.take(3);
  const AnyState before = key.state();
  EXPECT_FALSE(key.advance(1s).take(4).allowed);
  EXPECT_FALSE(key.take(6).allowed);
  EXPECT_EQ(key.state(), before);
}

TEST_P(Algorithms, Leave_no_trace_of_a_peek) {
  Key key{limit(5, 60s)};
  EXPECT_TRUE(key.take(0).allowed);
  EXPECT_EQ(key.state(), make_state(GetParam().algorithm));
  key.take(5);
  const AnyState before = key.state();
  EXPECT_TRUE(key.take(0).allowed) << "a peek is allowed on a key that is used up";
  EXPECT_EQ(key.take(0).remaining, 0U);
  EXPECT_EQ(key.state(), before);
}

TEST_P(Algorithms, Say_never_to_a_cost_above_capacity) {
  Key key{limit(5, 60s)};
  for (const Cost cost : {Cost{6}, Cost{1} << 32, Cost{1} << 62, Cost{9223372036854775807}}) {
    const Decision denied = key.take(cost);
    EXPECT_FALSE(denied.allowed);
    EXPECT_EQ(denied.retry_after, kNever);
    EXPECT_EQ(denied.remaining, 5U);
    EXPECT_EQ(denied.reset_after, 0s);
  }
  EXPECT_EQ(key.state(), make_state(GetParam().algorithm));
}

TEST_P(Algorithms, Block_everything_with_zero_tokens) {
  Key key{limit(0, 60s)};
  EXPECT_EQ(key.take(), (Decision{.at = key.now(), .retry_after = kNever}));
  EXPECT_EQ(key.take(0), (Decision{.at = key.now(), .allowed = true}));
  key.advance(10 * 365 * 24h);
  EXPECT_FALSE(key.take().allowed);
}

TEST_P(Algorithms, Are_neutral_again_after_reset) {
  Key key{limit(5, 60s)};
  const Decision last = (key.take(4), key.advance(13s).take(1));
  EXPECT_LT(key.advance(last.reset_after - 1us).peek().remaining, 5U);
  EXPECT_EQ(key.advance(1us).peek().remaining, 5U);
  EXPECT_EQ(key.peek().reset_after, 0s);
}

TEST_P(Algorithms, Give_at_once_what_a_raised_limit_adds) {
  Key key{limit(10, 1h)};
  EXPECT_EQ(key.admitted_of(50), 10);
  key.set_limit(limit(20, 1h));
  EXPECT_EQ(key.admitted_of(15), 10);
}

TEST_P(Algorithms, Have_nothing_left_under_a_lowered_limit) {
  Key key{limit(10, 1h)};
  key.take(10);
  key.set_limit(limit(3, 1h));
  const Decision denied = key.take();
  EXPECT_FALSE(denied.allowed);
  EXPECT_EQ(denied.remaining, 0U);
  EXPECT_LE(denied.retry_after, longest_wait(key.limit()));
  EXPECT_TRUE(key.advance(denied.retry_after).take().allowed);
}

TEST_P(Algorithms, Keep_what_was_used_when_the_same_limit_is_set_again) {
  Key key{limit(5, 60s)};
  key.take(5);
  for (int i = 0; i < 100; ++i) {
    key.set_limit(limit(5, 60s));
    ASSERT_FALSE(key.take().allowed);
  }
}

TEST_P(Algorithms, Give_back_what_was_taken_at_the_same_instant) {
  Key key{limit(5, 60s)};
  key.take(2);
  const Decision taken = key.take(3);
  key.give_back(3, taken.at);
  EXPECT_EQ(key.peek().remaining, 3U);
}

TEST_P(Algorithms, Never_give_back_above_full) {
  Key key{limit(5, 60s)};
  const Decision taken = key.take(2);
  key.give_back(Cost{1} << 40, taken.at);
  EXPECT_EQ(key.peek().remaining, 5U);
  EXPECT_EQ(key.peek().reset_after, 0s);
  key.give_back(5, taken.at);
  EXPECT_EQ(key.admitted_of(10), 5) << "nothing was owed";
}

TEST_P(Algorithms, Give_back_nothing_of_a_take_that_has_expired) {
  Key key{limit(5, 60s)};
  const Decision old = key.take(5);
  key.at(125s).take(5);
  key.give_back(5, old.at);
  EXPECT_EQ(key.peek().remaining, 0U);
}

TEST_P(Algorithms, Are_not_locked_out_by_a_clock_that_steps_back) {
  for (const Duration step : {Duration{1s}, Duration{1h}, Duration{365 * 24h}}) {
    Key key{limit(5, 60s)};
    key.take(3);
    key.advance(-step);
    EXPECT_LE(key.take(2).remaining, 2U);
    const Decision denied = key.take(3);
    if (!denied.allowed) {
      EXPECT_LE(denied.retry_after, longest_wait(key.limit()) + key.limit().period());
      EXPECT_FALSE(key.advance(denied.retry_after - 1us).take(3).allowed);
      EXPECT_TRUE(key.advance(1us).take(3).allowed);
    }
  }
}

TEST_P(Algorithms, Repair_once_on_a_denial_after_a_step_back) {
  Key key{limit(5, 60s)};
  key.take(5);
  key.advance(-10min);
  const AnyState before = key.state();
  EXPECT_FALSE(key.take().allowed);
  EXPECT_NE(key.state(), before);
  AnyState repaired = key.state();
  EXPECT_FALSE(repair(repaired, key.limit(), key.now()));
  EXPECT_EQ(repaired, key.state());
}

TEST_P(Algorithms, Admit_no_more_after_the_clock_was_far_ahead_and_came_back) {
  Key key{limit(5, 60s)};
  key.advance(10 * 365 * 24h);
  key.take(5);
  key.advance(-10 * 365 * 24h);
  EXPECT_EQ(key.admitted_of(5), 0);
  EXPECT_TRUE(key.advance(longest_wait(key.limit()) + 60s).take().allowed);
}

TEST(SlidingWindow, Lets_a_hit_go_that_is_exactly_one_period_old) {
  Key key{"1/60s"};
  key.take();
  EXPECT_FALSE(key.at(60s - 1us).take().allowed);
  EXPECT_TRUE(key.at(60s).take().allowed);
}

TEST(SlidingWindow, Gives_back_to_the_run_that_was_taken_from) {
  Key key{"5/1000us"};
  const Decision first = key.take(2);
  key.at(500us).take(3);
  key.at(600us).give_back(2, first.at);
  EXPECT_EQ(key.at(1000us).peek().remaining, 2U) << "3 of 500us count until 1500us";
  EXPECT_EQ(key.at(1499us).peek().remaining, 2U);
  EXPECT_EQ(key.at(1500us).peek().remaining, 5U);
}

TEST(SlidingWindow, Above_precision_keeps_a_run_until_its_newest_hit_leaves) {
  Key key{"8/80us precision 4"};  // slots of 20 us
  key.at(0us).take(4);
  key.at(19us).take(4);
  EXPECT_EQ(std::get<sliding_window::State>(key.state()).runs.size(), 1U);
  EXPECT_EQ(key.at(20us).take().retry_after, 79us);
  EXPECT_FALSE(key.at(98us).take().allowed);
  EXPECT_TRUE(key.at(99us).take(8).allowed);
}

TEST(SlidingWindow, Has_at_most_precision_and_1_runs_after_any_change) {
  Key key{"1000/1000s"};
  EXPECT_EQ(key.admitted_of(900, 1s), 900);
  key.set_limit("1000/1000s precision 10");
  EXPECT_EQ(std::get<sliding_window::State>(key.state()).runs.size(), 900U);
  EXPECT_EQ(key.take().remaining, 99U) << "what was used is kept";
  EXPECT_LE(std::get<sliding_window::State>(key.state()).runs.size(), 11U);
}

TEST(SlidingWindow, Denies_a_peek_at_a_key_that_a_lowered_limit_left_over_full) {
  Key key{"10/60s"};
  key.take(4), key.at(10s).take(6);
  key.set_limit("5/60s");
  const Decision peek = key.at(20s).peek();
  EXPECT_FALSE(peek.allowed);
  EXPECT_EQ(peek.retry_after, 50s);
  EXPECT_FALSE(key.at(70s - 1us).peek().allowed);
  EXPECT_TRUE(key.at(70s).peek().allowed);
}

TEST(FixedWindow, Admits_twice_its_tokens_across_an_edge_and_no_more) {
  Key key{"5/60s algorithm fixed_window"};
  EXPECT_EQ(key.at(60s - 1us).admitted_of(10), 5);
  EXPECT_EQ(key.at(60s).admitted_of(10), 5);
  EXPECT_EQ(key.at(119s).admitted_of(10), 0);
}

TEST(FixedWindow, Does_not_give_back_to_another_window) {
  Key key{"5/60s algorithm fixed_window"};
  const Decision old = key.at(59s).take(5);
  key.at(61s).take(5);
  key.give_back(5, old.at);
  EXPECT_EQ(key.peek().remaining, 0U);
}

TEST(FixedWindow, Keeps_its_count_under_another_period_when_the_hit_is_in_the_present_window) {
  Key key{"5/60s algorithm fixed_window"};
  key.at(70s).take(3);
  key.set_limit("5/10s algorithm fixed_window");
  EXPECT_EQ(key.at(75s).peek().remaining, 2U);
  EXPECT_EQ(key.at(80s).peek().remaining, 5U);
}

TEST(FixedWindow, Crosses_no_edge_twice_when_the_clock_steps_back) {
  Key key{"30/60us algorithm fixed_window"};
  key.at(60us).take(30);
  key.at(59us);
  EXPECT_EQ(key.admitted_of(30), 0);
  EXPECT_EQ(key.at(60us).admitted_of(30), 0);
  EXPECT_EQ(key.at(120us).admitted_of(60), 30);
}

TEST(SlidingWindowCounter, Admits_twice_its_tokens_less_one_at_worst) {
  Key key{"10/100s algorithm sliding_window_counter"};
  std::int64_t sum = key.at(100s - 1us).admitted_of(10);
  for (std::int64_t i = 0; i < 1000; ++i) sum += key.at(100s + i * 100ms).admitted_of(1);
  EXPECT_EQ(sum, 19);
}

TEST(SlidingWindowCounter, Rounds_its_estimate_up) {
  Key key{"1/60s algorithm sliding_window_counter"};
  key.take();
  EXPECT_FALSE(key.at(120s - 1us).take().allowed) << "a floored estimate would be 0 since 60s";
  EXPECT_TRUE(key.at(120s).take().allowed);
}

TEST(SlidingWindowCounter, Gives_back_to_the_window_that_was_taken_from) {
  Key key{"10/60s algorithm sliding_window_counter"};
  const Decision old = key.at(30s).take(6);
  key.at(90s).take(4);  // 3 of the 6 still count
  key.give_back(6, old.at);
  EXPECT_EQ(key.peek().remaining, 6U);
  EXPECT_EQ(key.at(120s).peek().remaining, 6U);
}

TEST(SlidingWindowCounter, Takes_its_own_estimate_over_into_another_period) {
  Key key{"10/60s algorithm sliding_window_counter"};
  key.at(0s).take(8);
  key.at(75s).take(2);  // 6 of the 8 count, by 45/60
  key.set_limit("10/10s algorithm sliding_window_counter");
  EXPECT_EQ(key.peek().remaining, 2U);
  EXPECT_EQ(key.at(80s).peek().remaining, 2U) << "all 8 are of the window before";
  EXPECT_EQ(key.at(85s).peek().remaining, 6U);
  EXPECT_EQ(key.at(90s).peek().remaining, 10U);
}

TEST(TokenBucket, Admits_burst_and_tokens_in_one_window_and_no_more) {
  Key key{"10/100s burst 4"};
  std::int64_t sum = key.admitted_of(20);
  for (int i = 1; i < 1000; ++i) sum += key.at(i * 100ms).admitted_of(5);
  EXPECT_EQ(sum, 13) << "the tenth token comes at 100s, when the first 4 leave the window";
}

TEST(TokenBucket, Gives_back_only_what_has_not_drained) {
  Key key{"5/5s burst 5"};
  const Decision first = key.take(5);
  key.at(2s).take(1);
  key.give_back(5, first.at);
  EXPECT_EQ(key.peek().remaining, 4U);
}

TEST(TokenBucket, Keeps_the_fraction_of_a_token) {
  Key key{"3/10us burst 3"};
  key.take(3);
  EXPECT_EQ(key.take(1).retry_after, 4us);
  EXPECT_TRUE(key.at(4us).take(1).allowed);  // 1.2 tokens had come; 0.2 are left
  EXPECT_EQ(key.take(1).retry_after, 3us);
  EXPECT_TRUE(key.at(7us).take(1).allowed);
  EXPECT_EQ(key.take(1).retry_after, 3us);
  EXPECT_TRUE(key.at(10us).take(1).allowed);
  EXPECT_EQ(key.take(1).retry_after, 4us);
}

TEST(TokenBucket, Is_fixed_window_when_it_refills_whole_windows) {
  Key bucket{"7/60s refill interval"}, window{"7/60s algorithm fixed_window"};
  Random random{first_seed()};
  for (int i = 0; i < 20'000; ++i) {
    const Duration by{random.chance(70) ? 0 : random.between(0, 70'000'000)};
    const Cost cost = random.between(0, 8);
    EXPECT_EQ(bucket.advance(by).take(cost), window.advance(by).take(cost));
    if (HasFailure()) FAIL() << how_to_repeat(first_seed());
  }
}

TEST(TokenBucket, With_interval_adds_its_tokens_at_edges_only) {
  Key key{"2/10s burst 6 refill interval"};
  key.at(9s).take(6);
  EXPECT_EQ(key.take(1).retry_after, 1s);
  EXPECT_EQ(key.take(3).retry_after, 11s);
  EXPECT_EQ(key.take(6).retry_after, 21s);
  EXPECT_EQ(key.at(10s - 1us).peek().remaining, 0U);
  EXPECT_EQ(key.at(10s).peek().remaining, 2U);
  EXPECT_EQ(key.at(20s - 1us).peek().remaining, 2U);
  EXPECT_EQ(key.at(30s).peek().remaining, 6U);
  EXPECT_EQ(key.at(1000s).peek().remaining, 6U);
}

TEST(TokenBucket, Clamps_an_older_and_larger_debt_before_it_drains) {
  Key key{"10/10s burst 100"};
  key.take(100);
  key.at(5s).set_limit("10/10s burst 10");
  EXPECT_EQ(key.peek().remaining, 5U) << "as if no more than 10 could ever be owed";
}

}  // namespace
}  // namespace tidegate::test
