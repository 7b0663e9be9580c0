// The corners of the box, and what lies between: every unit, tokens from 1 to 2^32 - 1, bursts of
// every size, times near the epoch and near the end. Waits are exact everywhere, and nothing
// overflows (which is for the sanitizers to see).
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "tests/support/key.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPeriods[] = {
    1us,           Duration{1ms},     Duration{1s},       Duration{1min},      Duration{1h},
    Duration{24h}, Duration{7 * 24h}, Duration{30 * 24h}, Duration{365 * 24h}, Duration{366 * 24h}};
constexpr std::uint64_t kTokens[] = {1, 7, 3479, 1'000'003, kMaxTokens};

// Every limit of a kind at the corners that the box holds.
std::vector<Limit> corner_limits(const Kind& kind) {
  std::vector<Limit> all;
  const auto add = [&](const LimitSpec& spec) {
    if (const auto limit = Limit::make(spec)) all.push_back(*limit);
  };
  for (const Duration period : kPeriods)
    for (const std::uint64_t tokens : kTokens) {
      LimitSpec spec = spec_of(kind, tokens, period);
      add(spec);
      if (kind.algorithm == Algorithm::kSlidingWindow)
        for (const std::uint64_t precision : {1U, 7U, 65535U})
          add((spec.precision = precision, spec));
      if (kind.bucket())
        for (const std::uint64_t burst :
             {std::uint64_t{1}, std::uint64_t{2}, 2 * tokens + 1, std::uint64_t{36525}, kMaxTokens})
          add((spec.burst = burst, spec));
    }
  return all;
}

// Near the epoch, on and beside an edge of our days, and as late as a whole wait still fits.
std::vector<Time> corner_times(const Limit& limit) {
  const Time edge = kMidnight + 366 * 24h - kMidnight.time_since_epoch() % limit.period();
  return {Time{},
          Time{1us},
          Time{limit.period() - 1us},
          edge - 1us,
          edge,
          edge + 1us,
          Time{std::chrono::seconds{1'769'860'800}} + 123'457us,
          kEndOfTime - limit.period(),
          kEndOfTime};
}

void expect_exact_waits(const Key& key, Cost cost, const char* story) {
  const Limit& limit = key.limit();
  const AnyState& state = key.state();
  const Decision now = key.check(cost);
  const auto at = [&](Duration later, Cost c) { return judge(state, limit, key.now() + later, c); };
  if (!now.allowed) {
    ASSERT_GE(now.retry_after, 1us) << story;
    ASSERT_LE(now.retry_after, longest_wait(limit)) << story;
    EXPECT_FALSE(at(now.retry_after - 1us, cost).allowed) << story;
    EXPECT_TRUE(at(now.retry_after, cost).allowed) << story;
  }
  const Duration reset = key.peek().reset_after;
  EXPECT_EQ(at(reset, 0).remaining, limit.capacity()) << story;
  if (reset == 0us) return;
  EXPECT_LT(at(reset - 1us, 0).remaining, limit.capacity()) << story;
}

// Uses a fresh key up in two steps, and looks at it after each.
void use_up(const Limit& limit, Time start) {
  Key key{limit, start};
  const Cost capacity = limit.capacity(), part = capacity / 3;
  ASSERT_EQ(key.peek().remaining, capacity);
  if (part > 0) {
    ASSERT_TRUE(key.take(part).allowed);
    EXPECT_EQ(key.peek().remaining, capacity - part);
    for (const Cost cost : {capacity, capacity - part + 1})
      expect_exact_waits(key, cost, "a third");
  }
  ASSERT_TRUE(key.take(capacity - part).allowed);
  EXPECT_EQ(key.peek().remaining, 0U);
  for (const Cost cost : {Cost{1}, std::max<Cost>(1, capacity / 2), capacity})
    expect_exact_waits(key, cost, "all");
}

class Extremes : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(All, Extremes, testing::ValuesIn(kKinds), name_of_param);

TEST_P(Extremes, Waits_are_exact_at_every_corner_of_the_box) {
  const std::vector<Limit> limits = corner_limits(GetParam());
  EXPECT_GE(limits.size(), std::size(kPeriods) * std::size(kTokens));
  for (const Limit& limit : limits)
    for (const Time start : corner_times(limit)) {
      SCOPED_TRACE(limit.to_string() + " at " + std::to_string(start.time_since_epoch().count()));
      use_up(limit, start);
      if (HasFailure()) return;
    }
}

TEST_P(Extremes, A_key_that_is_used_up_at_every_chance_gets_no_more_than_its_rate) {
  for (const Limit& limit : corner_limits(GetParam())) {
    SCOPED_TRACE(limit.to_string());
    Key key{limit};
    std::int64_t sum = 0;
    for (int waits = 0; waits < 40; ++waits) {
      const Cost all = key.peek().remaining;
      ASSERT_GT(all, 0) << "at the end of every wait there is something";
      ASSERT_TRUE(key.take(all).allowed);
      sum += all;
      const std::int64_t periods = (key.now() - kMidnight) / limit.period() + 1;
      ASSERT_LE(sum, limit.capacity() + limit.tokens() * periods);
      key.advance(key.check().retry_after);
    }
  }
}

TEST_P(Extremes, Everything_is_there_again_after_a_clock_of_200_years) {
  for (const Limit& limit : corner_limits(GetParam())) {
    Key key{limit, Time{1s}};
    key.take(limit.capacity());
    key.advance(200 * 365 * 24h);
    EXPECT_EQ(key.peek().remaining, limit.capacity()) << limit.to_string();
    EXPECT_TRUE(key.take(limit.capacity()).allowed) << limit.to_string();
  }
}

TEST_P(Extremes, A_clock_from_the_end_of_time_back_to_its_start_overflows_nothing) {
  for (const Limit& limit : corner_limits(GetParam())) {
    Key key{limit, kEndOfTime};
    key.take(limit.capacity());
    Key back = key;
    back.advance(Time{} - kEndOfTime);
    const Decision denied = back.take();
    ASSERT_FALSE(denied.allowed) << limit.to_string();
    EXPECT_LE(denied.retry_after, longest_wait(limit) + limit.period()) << limit.to_string();
    EXPECT_TRUE(back.advance(denied.retry_after).take().allowed) << limit.to_string();
  }
}

TEST_P(Extremes, Any_corner_may_change_into_any_other_on_a_live_key) {
  const std::vector<Limit> limits = corner_limits(GetParam());
  for (const Limit& before : limits)
    for (const Limit& after : limits) {
      Key key{before, Time{std::chrono::seconds{1'769'860'800}}};
      key.take(before.capacity());
      key.set_limit(after);
      const Decision denied = key.take(after.capacity());
      if (denied.allowed) continue;
      ASSERT_LE(denied.retry_after, longest_wait(after))
          << before.to_string() << ", then " << after.to_string();
      ASSERT_TRUE(key.advance(denied.retry_after).check(after.capacity()).allowed)
          << before.to_string() << ", then " << after.to_string();
    }
}

// As fast as it may, and by a client that tries at its own times, for a million seconds.
TEST_P(Extremes, Seven_a_second_for_a_million_seconds_are_seven_million) {
  const std::int64_t seconds = kSanitized ? 20'000 : 1'000'000;
  Key key{limit_of(spec_of(GetParam(), 7, 1s))};
  const Time end = key.now() + seconds * 1s;
  std::int64_t admitted = 0;
  while (key.now() < end) {
    const Decision decision = key.take();
    admitted += decision.allowed;
    if (decision.allowed) continue;
    ASSERT_GT(decision.retry_after, 0us);
    key.advance(decision.retry_after);
  }
  // The estimate of a counter is cautious: it is rounded up in every window.
  const std::int64_t least =
      GetParam().algorithm == Algorithm::kSlidingWindowCounter ? 5 * seconds : 7 * seconds;
  EXPECT_GE(admitted, least);
  EXPECT_LE(admitted, 7 * seconds + 7);
}

TEST(Extremes, Thirds_of_a_microsecond_add_up) {
  Key key{"3000000000/s burst 3000"};  // 3000 a microsecond
  key.take(3000);
  EXPECT_FALSE(key.at(0us).take().allowed);
  EXPECT_EQ(key.at(1us).peek().remaining, 3000U);
  Key slow{"3/1000000us burst 1"};
  std::int64_t admitted = slow.admitted_of(1);
  for (std::int64_t i = 0; i < 3'000'000; ++i) admitted += slow.at(i * 1us).take().allowed;
  EXPECT_EQ(admitted, 9);
}

TEST(Extremes, The_largest_limit_of_a_month_counts_single_tokens) {
  Key key{"4294967295/30d burst 4294967295"};
  EXPECT_EQ(key.take(4'294'967'295).remaining, 0U);
  EXPECT_EQ(key.take(1).retry_after, 604us) << "603.5 us a token, rounded up";
  EXPECT_EQ(key.at(604us).take(1).remaining, 0U);
  EXPECT_EQ(key.take(1).retry_after, 603us) << "half a microsecond is kept";
}

}  // namespace
}  // namespace tidegate::test
