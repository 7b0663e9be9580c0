#include "tidegate/replay/suggestion.h"

#include <gtest/gtest.h>

#include "tests/replay/traffic.h"
#include "tidegate/replay/outcome.h"

namespace tidegate::replay {
namespace {

using namespace std::chrono_literals;

TEST(Demand, Is_the_most_of_any_window) {
  test::for_each_trace(60, [](test::Random& random) {
    const Trace trace = traffic(random, 400);
    const Duration period = random.pick<Duration>({1us, 1s, 60s, 1h});
    std::vector<std::uint64_t> peaks(trace.keys.size());
    for (const Hit& last : trace.hits) {
      std::uint64_t sum = 0;
      for (const Hit& hit : trace.hits)
        if (hit.key == last.key && hit.at > last.at - period && hit.at <= last.at) sum += hit.cost;
      peaks[last.key] = std::max(peaks[last.key], sum);
    }
    EXPECT_EQ(demand_of(trace, period).peaks, peaks);
  });
}

TEST(Demand, Leaves_out_what_is_just_a_period_old) {
  Trace trace;
  add(trace, "a", 0s);
  add(trace, "a", 60s - 1us);
  add(trace, "a", 60s);
  EXPECT_EQ(demand_of(trace, 60s).peaks, (std::vector<std::uint64_t>{2}));
  EXPECT_EQ(demand_of(trace, 60s + 1us).peaks, (std::vector<std::uint64_t>{3}));
}

TEST(Percentile, Is_what_this_share_does_not_exceed) {
  const std::vector<std::uint64_t> values = {1, 2, 3, 4};
  EXPECT_EQ(percentile(values, 0), 1U);
  EXPECT_EQ(percentile(values, 0.5), 2U);
  EXPECT_EQ(percentile(values, 0.51), 3U);
  EXPECT_EQ(percentile(values, 1), 4U);
}

struct Effect {
  std::uint64_t denied;
  std::uint64_t keys;
};

Effect effect_of(const Trace& trace, std::uint64_t tokens, Duration period) {
  const Limit limit = Limit::make({.tokens = tokens, .period = period}).value();
  const Outcome outcome = decide(trace, limit, frame_of(trace, 1), 1);
  return {outcome.denied, outcome.denied_keys};
}

TEST(Suggestion, Is_the_smallest_limit_that_keeps_its_promise) {
  test::for_each_trace(25, [](test::Random& random) {
    const Trace trace = traffic(random, 1'500);
    const SuggestPlan plan{.period = random.pick<Duration>({10s, 60s}),
                           .touch = random.pick({0.0, 0.05, 0.3, 1.0}),
                           .deny = random.pick({0.0, 0.01, 0.2})};
    const Suggestion suggestion = suggest(trace, demand_of(trace, plan.period), plan);
    const auto keys_may = plan.touch * static_cast<double>(trace.keys.size());
    const auto denied_may = plan.deny * static_cast<double>(trace.hits.size());
    const std::uint64_t by_touch = suggestion.by_touch->tokens;
    const std::uint64_t by_deny = suggestion.by_deny->tokens;
    EXPECT_LE(static_cast<double>(effect_of(trace, by_touch, plan.period).keys), keys_may);
    EXPECT_LE(static_cast<double>(effect_of(trace, by_deny, plan.period).denied), denied_may);
    if (by_touch > 1) {
      EXPECT_GT(static_cast<double>(effect_of(trace, by_touch - 1, plan.period).keys), keys_may);
    }
    if (by_deny > 1) {
      EXPECT_GT(static_cast<double>(effect_of(trace, by_deny - 1, plan.period).denied), denied_may);
    }
  });
}

TEST(Suggestion, Tells_of_each_limit_what_running_it_tells) {
  test::Random random{3};
  const Trace trace = traffic(random, 5'000);
  const Suggestion suggestion = suggest(trace, demand_of(trace, 60s), {.period = 60s});
  ASSERT_GT(suggestion.choices.size(), 3U);
  for (const Choice& choice : suggestion.choices) {
    const Effect effect = effect_of(trace, choice.tokens, 60s);
    EXPECT_EQ(choice.denied, effect.denied) << choice.tokens;
    EXPECT_EQ(choice.keys_touched, effect.keys) << choice.tokens;
  }
  EXPECT_EQ(suggestion.choices.back().keys_touched, 0U) << "the last one spares all";
}

TEST(Suggestion, Is_nothing_for_no_requests) {
  const Trace trace;
  const Suggestion suggestion = suggest(trace, demand_of(trace, 60s), {});
  EXPECT_TRUE(suggestion.choices.empty());
  EXPECT_FALSE(suggestion.by_touch);
}

}  // namespace
}  // namespace tidegate::replay
