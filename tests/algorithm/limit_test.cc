#include "tidegate/algorithm/limit.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <type_traits>

#include "tests/support/limits.h"
#include "tests/support/random.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;

constexpr Algorithm kSlidingWindow = Algorithm::kSlidingWindow;
constexpr Algorithm kCounter = Algorithm::kSlidingWindowCounter;
constexpr Algorithm kFixedWindow = Algorithm::kFixedWindow;
constexpr Algorithm kTokenBucket = Algorithm::kTokenBucket;

std::string problem_of(const LimitSpec& spec) {
  const auto limit = Limit::make(spec);
  return limit ? "" : limit.error().message();
}

TEST(Limit, Made_of_tokens_and_a_period_is_a_sliding_window) {
  const Limit limit = limit_of({.tokens = 5, .period = 60s});
  EXPECT_EQ(limit.algorithm(), kSlidingWindow);
  EXPECT_EQ(limit.tokens(), 5U);
  EXPECT_EQ(limit.period(), 60s);
  EXPECT_EQ(limit.capacity(), 5U);
  EXPECT_EQ(limit.precision(), 1024U);
  EXPECT_EQ(limit.slot(), 1us);
}

TEST(Limit, Made_keeps_every_part_as_it_was_given) {
  const Limit limit = limit_of({.tokens = 100,
                                .period = 7h,
                                .algorithm = kTokenBucket,
                                .burst = 30,
                                .refill = Refill::kInterval});
  EXPECT_EQ(limit.algorithm(), kTokenBucket);
  EXPECT_EQ(limit.tokens(), 100U);
  EXPECT_EQ(limit.period(), 7h);
  EXPECT_EQ(limit.burst(), 30U);
  EXPECT_EQ(limit.refill(), Refill::kInterval);
  EXPECT_EQ(limit.capacity(), 30U);
  EXPECT_EQ(limit_of({.tokens = 9, .period = 1s, .precision = 7}).precision(), 7U);
}

TEST(Limit, A_burst_left_out_is_as_many_as_tokens) {
  const Limit limit = limit_of({.tokens = 7, .period = 1s, .algorithm = kTokenBucket});
  EXPECT_EQ(limit.burst(), 7U);
  EXPECT_EQ(limit.capacity(), 7U);
}

TEST(Limit, Zero_tokens_have_no_capacity_whatever_the_burst) {
  EXPECT_EQ(limit_of("0/s").capacity(), 0U);
  EXPECT_EQ(limit_of("0/s burst 5").capacity(), 0U);
  EXPECT_EQ(limit_of("5/s burst 0").capacity(), 0U);
}

TEST(Limit, Derives_exact_ratios) {
  const Limit odd = limit_of("4294967295/30d burst 1");
  EXPECT_EQ(odd.drain(), 286'331'153U);
  EXPECT_EQ(odd.unit(), 172'800'000'000U);
  const Limit even = limit_of("1000000/d burst 1000000");
  EXPECT_EQ(even.drain(), 1U);
  EXPECT_EQ(even.unit(), 86'400U);
  EXPECT_EQ(even.refill_time(), 24h);
  EXPECT_EQ(limit_of("3/s burst 1").refill_time(), 333'334us) << "rounded up";
}

TEST(Limit, A_slot_is_a_precisionth_of_the_period_rounded_up) {
  EXPECT_EQ(limit_of("1024/h").slot(), 1us) << "exact up to precision";
  EXPECT_EQ(limit_of("1025/h").slot(), 3'515'625us);
  EXPECT_EQ(limit_of("3000000000/s").slot(), 977us);
  EXPECT_EQ(limit_of("6/10us precision 3").slot(), 4us);
  EXPECT_EQ(limit_of("6/1us precision 3").slot(), 1us);
}

TEST(Limit, Takes_the_corners_of_the_box) {
  for (const Kind& kind : kKinds)
    for (const Duration period : {Duration{1us}, Duration{366 * 24h}})
      for (const std::uint64_t tokens : {std::uint64_t{0}, std::uint64_t{1}, kMaxTokens})
        EXPECT_EQ(problem_of(spec_of(kind, tokens, period)), "");
}

TEST(Limit, Refuses_what_lies_outside_of_the_box) {
  EXPECT_EQ(problem_of({.tokens = kMaxTokens + 1, .period = 1s}),
            "limit: at most 4294967295 tokens");
  EXPECT_EQ(problem_of({.tokens = ~std::uint64_t{0}, .period = 1s}),
            "limit: at most 4294967295 tokens");
  EXPECT_EQ(problem_of({.tokens = 1}), "limit: a period is 1us to 366d");
  EXPECT_EQ(problem_of({.tokens = 1, .period = -1us}), "limit: a period is 1us to 366d");
  EXPECT_EQ(problem_of({.tokens = 1, .period = 366 * 24h + 1us}), "limit: a period is 1us to 366d");
  EXPECT_EQ(problem_of({.tokens = 1, .period = Duration::max()}), "limit: a period is 1us to 366d");
  EXPECT_EQ(problem_of({.tokens = 1, .period = Duration::min()}), "limit: a period is 1us to 366d");
}

TEST(Limit, Refuses_a_burst_outside_of_the_box) {
  const LimitSpec spec{.tokens = 1, .period = 1us, .algorithm = kTokenBucket};
  LimitSpec large = spec;
  large.burst = kMaxTokens;
  EXPECT_EQ(problem_of(large), "");
  large.burst = kMaxTokens + 1;
  EXPECT_EQ(problem_of(large), "limit: burst is at most 4294967295");
}

TEST(Limit, Refuses_a_burst_that_takes_more_than_100_years_to_refill) {
  LimitSpec spec{.tokens = 1, .period = 24h, .algorithm = kTokenBucket, .burst = 36525};
  EXPECT_EQ(problem_of(spec), "");
  spec.burst = 36526;
  EXPECT_EQ(problem_of(spec), "limit: this burst would take more than 100 years to refill");
  spec.tokens = 0;
  EXPECT_EQ(problem_of(spec), "") << "it never refills and never holds anything";
}

TEST(Limit, Refuses_parts_that_the_algorithm_has_not) {
  for (const Algorithm algorithm : {kSlidingWindow, kCounter, kFixedWindow}) {
    const LimitSpec spec{.tokens = 5, .period = 1s, .algorithm = algorithm};
    LimitSpec with_burst = spec, with_refill = spec;
    with_burst.burst = 5;
    with_refill.refill = Refill::kInterval;
    EXPECT_EQ(problem_of(with_burst), "limit: burst goes with token_bucket alone");
    EXPECT_EQ(problem_of(with_refill), "limit: refill goes with token_bucket alone");
  }
  for (const Algorithm algorithm : {kTokenBucket, kCounter, kFixedWindow})
    EXPECT_EQ(problem_of({.tokens = 5, .period = 1s, .algorithm = algorithm, .precision = 256}),
              "limit: precision goes with sliding_window alone");
}

TEST(Limit, Refuses_a_precision_outside_of_1_to_65535) {
  EXPECT_EQ(problem_of({.tokens = 5, .period = 1s, .precision = 0}),
            "limit: precision is 1 to 65535");
  EXPECT_EQ(problem_of({.tokens = 5, .period = 1s, .precision = 65536}),
            "limit: precision is 1 to 65535");
  EXPECT_EQ(problem_of({.tokens = 5, .period = 1s, .precision = 65535}), "");
  EXPECT_EQ(problem_of({.tokens = 5, .period = 1s, .precision = 1}), "");
}

TEST(Limit, Equality_sees_every_part) {
  const Limit limit = limit_of("5/60s");
  EXPECT_EQ(limit, limit_of("5/min"));
  EXPECT_EQ(limit, limit_of({.tokens = 5, .period = 60s}));
  for (const char* other :
       {"6/60s", "5/61s", "5/60s algorithm fixed_window", "5/60s algorithm sliding_window_counter",
        "5/60s burst 5", "5/60s precision 1023"})
    EXPECT_NE(limit, limit_of(other)) << other;
  EXPECT_EQ(limit_of("5/60s burst 5"), limit_of("5/60s algorithm token_bucket"));
  EXPECT_NE(limit_of("5/60s burst 5"), limit_of("5/60s burst 6"));
  EXPECT_NE(limit_of("5/60s burst 5"), limit_of("5/60s burst 5 refill interval"));
  EXPECT_EQ(limit_of("5/60s precision 1024"), limit);
}

TEST(Limit, Is_as_small_as_it_says) {
  EXPECT_LE(sizeof(Limit), 56U);
  EXPECT_TRUE(std::is_trivially_copyable_v<Limit>);
}

TEST(Limit, A_literal_is_checked_by_the_compiler) {
  constexpr Limit limit = "100/h burst 20"_limit;
  static_assert(limit.tokens() == 100);
  static_assert(limit.period() == 1h);
  static_assert(limit.burst() == 20);
  static_assert(limit.algorithm() == kTokenBucket);
  static_assert("5/min"_limit == "5/60s"_limit);
  EXPECT_EQ(limit, limit_of("100/h burst 20"));
}

TEST(Limit, Prints_in_few_words) {
  const std::pair<const char*, const char*> kCases[] = {
      {"5/60s", "5/min"},
      {"5/1s", "5/s"},
      {"5/1000ms", "5/s"},
      {"5/90s", "5/90s"},
      {"5/1500000us", "5/1500ms"},
      {"5/1us", "5/us"},
      {"5/24h", "5/d"},
      {"5/168h", "5/w"},
      {"5/month", "5/30d"},
      {"5/year", "5/365d"},
      {"5/366d", "5/366d"},
      {"0/s", "0/s"},
      {"4294967295/d", "4294967295/d"},
      {"5/s algorithm sliding_window", "5/s"},
      {"5/s precision 1024", "5/s"},
      {"5/s precision 256", "5/s precision 256"},
      {"5/s algorithm fixed_window", "5/s algorithm fixed_window"},
      {"5/s algorithm sliding_window_counter", "5/s algorithm sliding_window_counter"},
      {"5/s algorithm token_bucket", "5/s burst 5"},
      {"5/s burst 9", "5/s burst 9"},
      {"5/s refill continuous", "5/s burst 5"},
      {"5/s refill interval burst 9", "5/s burst 9 refill interval"},
  };
  for (const auto& [text, printed] : kCases) EXPECT_EQ(limit_of(text).to_string(), printed);
}

class LimitOfKind : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(All, LimitOfKind, testing::ValuesIn(kKinds), name_of_param);

TEST_P(LimitOfKind, Prints_what_reads_back_as_the_same) {
  for_each_trace(5000, [](Random& random) {
    const Limit limit = random_limit(random, GetParam());
    const auto again = Limit::parse(limit.to_string());
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(*again, limit) << limit.to_string();
  });
}

TEST_P(LimitOfKind, Prints_every_unit_so_that_it_reads_back) {
  for (const grammar::Unit& unit : grammar::kUnits)
    for (const std::uint64_t count : {1U, 2U, 3U, 7U, 10U, 24U, 60U, 61U, 999U, 1000U}) {
      const Duration period{static_cast<std::int64_t>(count * unit.microseconds)};
      if (period > kMaxPeriod) continue;
      const Limit limit = limit_of(spec_of(GetParam(), 7, period));
      EXPECT_EQ(limit_of(limit.to_string()), limit) << limit.to_string();
    }
}

}  // namespace
}  // namespace tidegate::test
