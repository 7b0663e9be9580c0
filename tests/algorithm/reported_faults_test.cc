// Faults that people met in other rate limiters, each as a small story with the right ending.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "tests/support/key.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;

std::vector<std::uint32_t> remaining_of(Key& key, int takes, Duration apart = Duration{0}) {
  std::vector<std::uint32_t> all;
  for (; takes > 0; --takes, key.advance(apart)) all.push_back(key.take().remaining);
  return all;
}
using Remaining = std::vector<std::uint32_t>;

// --- time and clocks

TEST(ReportedFaults, A_clock_set_back_by_11s_does_not_lock_a_client_out) {
  Key key{"1/1s burst 10"};
  key.at(100s).admitted_of(3);
  const Decision after = key.at(89s).take();
  EXPECT_TRUE(after.allowed);
  EXPECT_EQ(after.remaining, 6U);
  EXPECT_EQ(key.take(10).retry_after, 4s) << "never the size of the step";
}

TEST(ReportedFaults, Day_week_month_and_year_are_counted_from_the_epoch) {
  const Time noon{std::chrono::seconds{1'769'860'800}};  // 2026-01-31T12:00:00Z
  const std::pair<const char*, Duration> kCases[] = {
      {"day", 43'200s}, {"week", 388'800s}, {"month", 475'200s}, {"year", 27'691'200s}};
  for (const auto& [unit, reset] : kCases) {
    Key key{"1/" + std::string{unit} + " algorithm fixed_window", noon};
    EXPECT_EQ(key.take().reset_after, reset) << unit;
    EXPECT_EQ(key.take().retry_after, reset) << unit << ": the window that is enforced";
    EXPECT_FALSE(key.at(reset - 1us).take().allowed) << unit;
    EXPECT_TRUE(key.at(reset).take().allowed) << unit;
  }
}

TEST(ReportedFaults, A_day_is_24_hours_through_every_change_of_the_clocks) {
  const Time before{std::chrono::seconds{1'792'800'000}};  // 2026-10-24T00:00:00Z
  for (Duration t{0}; t < 72h; t += 30min) {
    Key key{"1/day algorithm fixed_window", before + t};
    const Duration reset = key.take().reset_after;
    EXPECT_LE(reset, 24h);
    EXPECT_EQ((before + t + reset).time_since_epoch() % 24h, 0s);
  }
}

TEST(ReportedFaults, Windows_beyond_2_to_the_31_ms_are_kept) {
  for (const char* limit : {"5/365d algorithm fixed_window", "5/365d", "5/365d burst 5",
                            "5/365d algorithm sliding_window_counter"}) {
    Key key{limit, Time{365 * 24h * 56}};
    EXPECT_EQ(key.admitted_of(5), 5);
    EXPECT_FALSE(key.at(1ms).take().allowed) << limit;
    EXPECT_FALSE(key.at(25 * 24h).take().allowed) << limit;
    EXPECT_FALSE(key.at(50 * 24h).take().allowed) << limit;
  }
}

TEST(ReportedFaults, Fast_limits_are_held_exactly_whatever_their_interval) {
  const std::pair<const char*, std::int64_t> kCases[] = {{"1500/s", 1500},
                                                         {"2004/s", 2004},
                                                         {"40000/min", 40'000},
                                                         {"120000/min", 120'000},
                                                         {"700/min", 700}};
  for (const auto& [text, tokens] : kCases) {
    const Limit rate = limit_of(text);
    const std::int64_t promised = tokens * (60s / rate.period());
    const std::int64_t tries = 2 * promised;
    Key key{std::string{text} + " algorithm token_bucket"};
    std::int64_t admitted = 0;
    for (std::int64_t i = 0; i < tries; ++i)
      admitted += key.at(Duration{i * 60'000'000 / tries}).take().allowed;
    EXPECT_GE(admitted, promised) << text;
    EXPECT_LE(admitted, promised + tokens) << text;
  }
}

TEST(ReportedFaults, A_sliding_limit_gives_no_second_helping_at_the_minute) {
  const std::pair<const char*, std::int64_t> kCases[] = {
      {"10/min algorithm fixed_window", 20}, {"10/min", 10}, {"10/min burst 10", 10}};
  for (const auto& [limit, admitted] : kCases) {
    Key key{limit, kMidnight + 12h};
    const std::int64_t before = key.at(-10ms).admitted_of(10);
    EXPECT_EQ(before + key.at(0s).admitted_of(10), admitted) << limit;
  }
}

// --- numbers: zero, huge, cost

TEST(ReportedFaults, Tokens_and_costs_of_32_bits_do_not_wrap) {
  for (const char* rest : {"", " algorithm fixed_window", " algorithm sliding_window_counter",
                           " algorithm token_bucket", " refill interval"}) {
    Key key{"4294967295/min" + std::string{rest}};
    const Decision first = key.take(4'294'967'295);
    EXPECT_TRUE(first.allowed) << rest;
    EXPECT_EQ(first.remaining, 0U) << rest;
    const Decision second = key.take(4'294'967'295);
    EXPECT_FALSE(second.allowed) << rest;
    EXPECT_EQ(second.remaining, 0U) << rest;
    const Decision third = key.take(Cost{1} << 40);
    EXPECT_FALSE(third.allowed) << rest;
    EXPECT_EQ(third.remaining, 0U) << rest;
    EXPECT_EQ(third.retry_after, kNever) << rest;
  }
}

TEST(ReportedFaults, A_cost_above_capacity_is_never_possible_and_consumes_nothing) {
  Key key{"5/60s burst 5"};
  const Decision never = key.take(6);
  EXPECT_EQ(never,
            (Decision{.at = key.now(), .retry_after = kNever, .capacity = 5, .remaining = 5}));
  const Decision all = key.take(5);
  EXPECT_TRUE(all.allowed);
  EXPECT_EQ(all.remaining, 0U);
  EXPECT_EQ(all.reset_after, 60s);
  const Decision denied = key.take(1);
  EXPECT_EQ(denied.retry_after, 12s);
  EXPECT_EQ(denied.reset_after, 60s);
}

TEST(ReportedFaults, A_cost_of_the_whole_capacity_is_possible_later) {
  Key key{"5/60s burst 5"};
  const Decision first = key.take(1);
  EXPECT_EQ(first.remaining, 4U);
  EXPECT_EQ(first.reset_after, 12s);
  const Decision whole = key.take(5);
  EXPECT_FALSE(whole.allowed);
  EXPECT_EQ(whole.remaining, 4U);
  EXPECT_EQ(whole.retry_after, 12s);
  EXPECT_EQ(whole.reset_after, 12s);
  EXPECT_EQ(key.take(4).reset_after, 60s);
}

TEST(ReportedFaults, A_peek_leaves_nothing_to_keep) {
  Key key{"5/60s burst 5"};
  EXPECT_EQ(key.take(0),
            (Decision{.at = key.now(), .capacity = 5, .remaining = 5, .allowed = true}));
  EXPECT_EQ(key.state(), make_state(Algorithm::kTokenBucket));
}

TEST(ReportedFaults, A_peek_at_exactly_used_up_is_allowed) {
  for (const char* limit : {"5/60s", "5/60s algorithm fixed_window", "5/60s burst 5",
                            "5/60s algorithm sliding_window_counter", "5/60s refill interval"}) {
    Key key{limit};
    key.take(5);
    EXPECT_TRUE(key.peek().allowed) << limit;
    EXPECT_EQ(key.peek().remaining, 0U) << limit;
  }
}

TEST(ReportedFaults, What_would_overflow_is_refused_when_the_limit_is_made) {
  for (const char* text : {"1/60s burst 9223372036854775807", "1/h burst 1000000001",
                           "9223372036854775808/s", "5/99999999999999999999d"})
    EXPECT_FALSE(Limit::parse(text)) << text;
}

TEST(ReportedFaults, A_slow_limit_lets_its_few_through) {
  for (const char* limit : {"5/24h", "5/24h algorithm token_bucket", "5/24h refill interval"}) {
    Key key{limit};
    EXPECT_EQ(key.admitted_of(20), 5) << limit;
  }
}

TEST(ReportedFaults, A_limit_is_used_as_given_or_refused) {
  for (const std::uint64_t tokens : {2U, 25U, 50U, 100U, 1'000'000U, 4'294'967'295U})
    EXPECT_EQ(limit_of({.tokens = tokens, .period = 1s}).tokens(), tokens);
  EXPECT_FALSE(Limit::parse("4294967296/s"));
}

// --- buckets

TEST(ReportedFaults, Fast_rates_count_down_and_remaining_stays_below_capacity) {
  Key slow{"1000/60s burst 1001"};
  EXPECT_EQ(remaining_of(slow, 3, 1ms), (Remaining{1000, 999, 998}));
  EXPECT_EQ(slow.peek().capacity, 1001U);
  Key fast{"6000/1s burst 6001"};
  EXPECT_EQ(fast.take().remaining, 6000U);
  for (int i = 0; i < 10'000; ++i) ASSERT_LE(fast.advance(137us).take().remaining, 6000U);
}

TEST(ReportedFaults, Raising_the_rate_of_a_live_key_does_not_deny_it) {
  Key key{"10/20s burst 16"};
  EXPECT_EQ(remaining_of(key, 4, 100ms), (Remaining{15, 14, 13, 12}));
  key.set_limit("1000/20s burst 16");
  const Decision raised = key.at(400ms).take();
  EXPECT_TRUE(raised.allowed);
  EXPECT_EQ(raised.remaining, 15U);
}

TEST(ReportedFaults, Reset_is_not_one_token_too_long) {
  Key key{"30/60s burst 16"};
  const Decision first = key.take();
  EXPECT_EQ(first.remaining, 15U);
  EXPECT_EQ(first.reset_after, 2s);
}

TEST(ReportedFaults, A_denied_take_always_has_to_wait) {
  for (const char* limit : {"8000/s burst 2", "3000000000/s burst 1", "4294967295/us burst 1"}) {
    Key key{limit};
    key.admitted_of(2);
    const Decision denied = key.take();
    ASSERT_FALSE(denied.allowed) << limit;
    EXPECT_GE(denied.retry_after, 1us) << limit;
  }
}

TEST(ReportedFaults, The_wait_after_a_burst_is_one_token) {
  Key key{"5/60s burst 5"};
  EXPECT_EQ(key.admitted_of(5), 5);
  EXPECT_EQ(key.take().retry_after, 12s);
}

TEST(ReportedFaults, Idling_saves_up_no_more_than_the_burst) {
  for (std::int64_t gap = 0; gap <= 40'000; gap += 333) {
    Key key{"1/1s burst 10"};
    EXPECT_EQ(key.admitted_of(10), 10);
    EXPECT_EQ(key.at(gap * 1ms).admitted_of(40), std::min<std::int64_t>(10, gap / 1000))
        << gap << " ms";
  }
}

TEST(ReportedFaults, A_bucket_admits_almost_twice_what_a_sliding_window_does) {
  const std::pair<const char*, std::int64_t> kCases[] = {
      {"17/30s burst 17", 33}, {"17/30s burst 1", 15}, {"17/30s", 17}};
  for (const auto& [limit, right] : kCases) {
    Key key{limit};
    std::int64_t admitted = 0;
    for (int second = 0; second < 30; ++second)
      admitted += key.at(second * 1s).take().allowed + key.at(second * 1s + 250ms).take().allowed;
    EXPECT_EQ(admitted, right) << limit;
  }
}

TEST(ReportedFaults, The_wait_shrinks_as_time_passes) {
  for (const char* limit : {"1/1s burst 1", "1/1s", "1/1s algorithm fixed_window"}) {
    Key key{limit};
    key.take();
    EXPECT_EQ(key.at(200ms).take().retry_after, 800ms) << limit;
    EXPECT_EQ(key.at(999ms).take().retry_after, 1ms) << limit;
  }
}

TEST(ReportedFaults, A_capacity_that_refills_below_a_second_is_still_a_limit) {
  Key key{"3/1s burst 1"};
  EXPECT_EQ(key.admitted_of(10), 1);
  EXPECT_EQ(key.take().retry_after, 333'334us);
}

TEST(ReportedFaults, A_rate_and_burst_behave_as_nginx_does) {
  Key plain{"60/min burst 1"}, burst{"60/min burst 3"};
  EXPECT_EQ(plain.admitted_of(6), 1);
  EXPECT_EQ(burst.admitted_of(6), 3);
}

// --- windows

TEST(ReportedFaults, Hits_of_one_instant_are_not_one_hit) {
  Key key{"10/20s"};
  EXPECT_EQ(key.admitted_of(10'000), 10);
  EXPECT_EQ(key.at(1ms).admitted_of(19'999, 1ms), 0);
  EXPECT_EQ(key.at(20s).admitted_of(100, 1ms), 10);
}

TEST(ReportedFaults, Waiters_are_released_a_window_at_a_time) {
  Key key{"3/10s algorithm fixed_window"};
  std::vector<Duration> granted;
  Duration t{0};
  for (int tries = 0; tries < 100 && granted.size() < 9; ++tries) {
    const Decision decision = key.at(t).take();
    if (decision.allowed) granted.push_back(t);
    t += decision.retry_after;
  }
  EXPECT_EQ(granted, (std::vector<Duration>{0s, 0s, 0s, 10s, 10s, 10s, 20s, 20s, 20s}));
}

TEST(ReportedFaults, Refused_hits_do_not_eat_what_a_raised_limit_adds) {
  for (const char* rest : {"", " algorithm fixed_window", " algorithm token_bucket",
                           " algorithm sliding_window_counter", " refill interval"}) {
    Key key{"10/hour" + std::string{rest}};
    EXPECT_EQ(key.admitted_of(50), 10) << rest;
    key.set_limit("20/hour" + std::string{rest});
    EXPECT_EQ(key.admitted_of(15), 10) << rest;
  }
}

TEST(ReportedFaults,
     Setting_the_same_limit_again_refills_nothing_and_a_raise_gives_the_difference) {
  for (const char* rest : {"", " algorithm fixed_window", " algorithm token_bucket",
                           " algorithm sliding_window_counter", " refill interval"}) {
    Key key{"5/min" + std::string{rest}};
    key.take(5);
    for (int i = 0; i < 100; ++i) key.set_limit("5/min" + std::string{rest});
    EXPECT_FALSE(key.take().allowed) << rest;
    key.set_limit("10/min" + std::string{rest});
    EXPECT_EQ(key.admitted_of(6), 5) << rest;
  }
}

TEST(ReportedFaults, Hits_do_not_push_the_end_of_the_window_forward) {
  for (const char* limit : {"5/10s algorithm fixed_window", "5/10s"}) {
    Key key{limit};
    for (int ten = 0; ten < 6; ++ten) EXPECT_EQ(key.admitted_of(10, 1s), 5) << limit;
  }
}

TEST(ReportedFaults, The_previous_window_counts_until_it_has_slid_out) {
  Key key{"10/180s algorithm sliding_window_counter"};
  EXPECT_EQ(key.at(179s).admitted_of(10), 10);
  EXPECT_EQ(key.peek().reset_after, 181s) << "two windows, not one";
  EXPECT_EQ(key.at(180s).admitted_of(180, 1s), 9);
}

TEST(ReportedFaults, The_estimate_reaches_zero_after_two_windows) {
  Key counter{"10/60s algorithm sliding_window_counter"}, log{"10/60s"};
  counter.admitted_of(10), log.admitted_of(10);
  EXPECT_EQ(counter.at(60s).peek().remaining, 0U);
  EXPECT_EQ(counter.at(90s).peek().remaining, 5U);
  EXPECT_EQ(counter.at(120s).peek().remaining, 10U);
  EXPECT_EQ(log.at(60s).peek().remaining, 10U);
}

TEST(ReportedFaults, Retry_after_is_until_the_oldest_hit_leaves_and_not_a_constant) {
  Key sliding{"10/min"}, fixed{"10/min algorithm fixed_window"};
  sliding.admitted_of(10, 2s), fixed.admitted_of(10, 2s);
  EXPECT_EQ(sliding.at(20s).take().retry_after, 40s);
  EXPECT_EQ(fixed.at(20s).take().retry_after, 40s);
  Key late{"10/min algorithm fixed_window", kMidnight + 45s};
  late.admitted_of(10);
  EXPECT_EQ(late.take().retry_after, 15s);
}

TEST(ReportedFaults, Remaining_counts_this_take_and_stays_at_zero) {
  for (const char* limit : {"3/min", "3/min algorithm fixed_window", "3/min burst 3",
                            "3/min algorithm sliding_window_counter", "3/min refill interval"}) {
    Key key{limit};
    EXPECT_EQ(remaining_of(key, 5), (Remaining{2, 1, 0, 0, 0})) << limit;
    EXPECT_EQ(key.at(120s).take().remaining, 2U) << limit;
  }
}

TEST(ReportedFaults, The_wait_is_taken_from_the_oldest_hit_and_the_reset_from_the_newest) {
  Key key{"2/60s"};
  key.at(0s).take(), key.at(10s).take();
  const Decision denied = key.at(20s).take();
  EXPECT_EQ(denied.retry_after, 40s);
  EXPECT_EQ(denied.reset_after, 50s);
}

}  // namespace
}  // namespace tidegate::test
