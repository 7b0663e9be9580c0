// The one grammar for limits: what it takes, and for everything else where it stops and what it
// says.
#include "tidegate/algorithm/limit_grammar.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/limits.h"
#include "tests/support/random.h"
#include "tidegate/base/quote.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;
using namespace std::literals;

struct Good {
  std::string_view text;
  LimitSpec spec;
};

LimitSpec bucket(std::uint64_t tokens, Duration period, std::uint64_t burst,
                 Refill refill = Refill::kContinuous) {
  return {.tokens = tokens,
          .period = period,
          .algorithm = Algorithm::kTokenBucket,
          .burst = burst,
          .refill = refill};
}

LimitSpec with(Algorithm algorithm) {
  return {.tokens = 5, .period = 60s, .algorithm = algorithm};
}

TEST(LimitGrammar, Takes_what_it_says) {
  const Good kCases[] = {
      {"5/60s", {.tokens = 5, .period = 60s}},
      {"100/h", {.tokens = 100, .period = 1h}},
      {"1/10s", {.tokens = 1, .period = 10s}},
      {"0/s", {.tokens = 0, .period = 1s}},
      {"007/08s", {.tokens = 7, .period = 8s}},
      {"4294967295/us", {.tokens = kMaxTokens, .period = 1us}},
      {"5/min burst 9", bucket(5, 60s, 9)},
      {"5/min burst 0", bucket(5, 60s, 0)},
      {"5/us burst 4294967295", bucket(5, 1us, kMaxTokens)},
      {"5/min refill interval", bucket(5, 60s, 5, Refill::kInterval)},
      {"5/min refill continuous", bucket(5, 60s, 5)},
      {"5/min refill interval burst 9", bucket(5, 60s, 9, Refill::kInterval)},
      {"5/min algorithm token_bucket", bucket(5, 60s, 5)},
      {"5/min algorithm gcra burst 2", bucket(5, 60s, 2)},
      {"5/min burst 2 algorithm token_bucket", bucket(5, 60s, 2)},
      {"5/min algorithm sliding_window", with(Algorithm::kSlidingWindow)},
      {"5/min algorithm sliding_window_counter", with(Algorithm::kSlidingWindowCounter)},
      {"5/min algorithm fixed_window", with(Algorithm::kFixedWindow)},
      {"5/min precision 256", {.tokens = 5, .period = 60s, .precision = 256}},
      {"5/min precision 65535 algorithm sliding_window",
       {.tokens = 5, .period = 60s, .precision = 65535}},
      {"5/MIN  \t BuRsT \t9", bucket(5, 60s, 9)},
      {"5/Min ALGORITHM Fixed_Window", with(Algorithm::kFixedWindow)},
      {"5/min REFILL Interval", bucket(5, 60s, 5, Refill::kInterval)},
  };
  for (const Good& good : kCases) {
    const auto limit = Limit::parse(good.text);
    ASSERT_TRUE(limit) << limit.error().message();
    EXPECT_EQ(*limit, limit_of(good.spec)) << good.text;
  }
}

TEST(LimitGrammar, Knows_every_unit_in_every_form) {
  const std::pair<std::string_view, Duration> kCases[] = {
      {"us", 1us},          {"ms", 1ms},         {"s", 1s},
      {"min", 1min},        {"h", 1h},           {"d", 24h},
      {"w", 168h},          {"second", 1s},      {"seconds", 1s},
      {"minute", 1min},     {"minutes", 1min},   {"hour", 1h},
      {"hours", 1h},        {"day", 24h},        {"days", 24h},
      {"week", 168h},       {"weeks", 168h},     {"month", 30 * 24h},
      {"months", 30 * 24h}, {"year", 365 * 24h}, {"years", 365 * 24h},
      {"US", 1us},          {"Ms", 1ms},         {"MINUTES", 1min},
      {"WeekS", 168h},
  };
  for (const auto& [unit, period] : kCases) {
    EXPECT_EQ(limit_of("5/" + std::string{unit}).period(), period) << unit;
    EXPECT_EQ(limit_of("5/1" + std::string{unit}).period(), period) << unit;
    if (12 * period > kMaxPeriod) continue;
    EXPECT_EQ(limit_of("5/12" + std::string{unit}).period(), 12 * period) << unit;
  }
}

TEST(LimitGrammar, Has_no_other_unit) {
  for (const std::string_view unit :
       {"",    "m",   "mi", "mins", "sec",       "secs",     "hr",     "hrs",
        "uss", "mss", "ss", "hs",   "ds",        "ws",       "ns",     "u",
        "mo",  "mon", "y",  "yr",   "fortnight", "secondss", "month_", "_s"}) {
    const auto limit = Limit::parse("5/" + std::string{unit});
    EXPECT_FALSE(limit) << unit;
  }
}

struct Bad {
  std::string text;
  std::size_t column;
  std::string_view what;
};

constexpr std::string_view kTokens = "expected a number of tokens, 0 to 4294967295";
constexpr std::string_view kSlash = "expected '/' and a period after the number of tokens";
constexpr std::string_view kPeriod = "a period is 1us to 366d";
constexpr std::string_view kUnit = "expected a unit: us ms s min h d w, or second to year";
constexpr std::string_view kApart = "expected a blank before an option";
constexpr std::string_view kOption = "expected an option: burst, algorithm, refill or precision";
constexpr std::string_view kValue = "expected a blank and a value after the option";
constexpr std::string_view kBurst = "expected a burst, 0 to 4294967295";
constexpr std::string_view kPrecision = "expected a precision, 1 to 65535";
constexpr std::string_view kRefill = "expected refill continuous or refill interval";
constexpr std::string_view kTwice = "this option was given before";
constexpr std::string_view kAlgorithm =
    "expected an algorithm: sliding_window, sliding_window_counter, fixed_window or token_bucket";

void expect_refused(const std::vector<Bad>& cases) {
  for (const Bad& bad : cases) {
    const auto limit = Limit::parse(bad.text);
    ASSERT_FALSE(limit) << bad.text;
    EXPECT_EQ(limit.error().where,
              "limit " + tidegate::quoted(bad.text) + ", column " + std::to_string(bad.column));
    EXPECT_EQ(limit.error().what, std::string{bad.what} + "; for example 5/60s, or 100/h burst 20");
  }
}

TEST(LimitGrammar, Says_what_is_wrong_with_the_rate) {
  expect_refused({{"", 1, kTokens},
                  {" 5/s", 1, kTokens},
                  {"-5/s", 1, kTokens},
                  {"+5/s", 1, kTokens},
                  {"x", 1, kTokens},
                  {"/s", 1, kTokens},
                  {"4294967296/s", 1, kTokens},
                  {"99999999999999999999999999/s", 1, kTokens},
                  {"5", 2, kSlash},
                  {"5.5/s", 2, kSlash},
                  {"5 /s", 2, kSlash},
                  {"5e3/s", 2, kSlash},
                  {"5 per s", 2, kSlash},
                  {"5\\s", 2, kSlash}});
}

TEST(LimitGrammar, Says_what_is_wrong_with_the_period) {
  expect_refused({{"5/", 3, kUnit},
                  {"5/x", 3, kUnit},
                  {"5/ s", 3, kUnit},
                  {"5/60", 5, kUnit},
                  {"5/60 s", 5, kUnit},
                  {"5/6x", 4, kUnit},
                  {"5/1.5s", 4, kUnit},
                  {"5/-1s", 3, kUnit},
                  {"5/0s", 3, kPeriod},
                  {"5/367d", 3, kPeriod},
                  {"5/2years", 3, kPeriod},
                  {"5/13months", 3, kPeriod},
                  {"5/53weeks", 3, kPeriod},
                  {"5/31622400000001us", 3, kPeriod},
                  {"5/99999999999999999999us", 3, kPeriod},
                  {"5/9223372036854775808s", 3, kPeriod}});
}

TEST(LimitGrammar, Says_what_is_wrong_with_an_option) {
  expect_refused({{"5/s ", 5, "blanks at the end"},
                  {"5/s burst 9 ", 13, "blanks at the end"},
                  {"5/s,burst 9", 4, kApart},
                  {"5/s/s", 4, kApart},
                  {"5/s burst 9x", 12, kApart},
                  {"5/s 9", 5, kOption},
                  {"5/s bursts 9", 5, kOption},
                  {"5/s nonsense", 5, kOption},
                  {"5/s  algo x", 6, kOption},
                  {"5/s burst", 10, kValue},
                  {"5/s burst=9", 10, kValue},
                  {"5/s burst9", 10, kValue},
                  {"5/s algorithm", 14, kValue},
                  {"5/s refill:interval", 11, kValue},
                  {"5/s precision", 14, kValue}});
}

TEST(LimitGrammar, Says_what_is_wrong_with_a_value) {
  expect_refused({{"5/s burst x", 11, kBurst},
                  {"5/s burst -1", 11, kBurst},
                  {"5/s burst ", 11, kBurst},
                  {"5/s burst 4294967296", 11, kBurst},
                  {"5/s precision 0", 15, kPrecision},
                  {"5/s precision 65536", 15, kPrecision},
                  {"5/s precision x", 15, kPrecision},
                  {"5/s refill sometimes", 12, kRefill},
                  {"5/s refill 5", 12, kRefill},
                  {"5/s algorithm leaky", 15, kAlgorithm},
                  {"5/s algorithm 5", 15, kAlgorithm},
                  {"5/s algorithm token-bucket", 15, kAlgorithm}});
}

TEST(LimitGrammar, Says_which_options_do_not_go_together) {
  constexpr std::string_view kNoBurst = "burst goes with token_bucket alone";
  constexpr std::string_view kNoRefill = "refill goes with token_bucket alone";
  constexpr std::string_view kNoPrecision = "precision goes with sliding_window alone";
  expect_refused({{"5/s burst 5 burst 6", 13, kTwice},
                  {"5/s burst 5 Burst 5", 13, kTwice},
                  {"5/s algorithm gcra algorithm gcra", 20, kTwice},
                  {"5/s refill interval refill interval", 21, kTwice},
                  {"5/s precision 5 precision 5", 17, kTwice},
                  {"5/s algorithm fixed_window burst 9", 28, kNoBurst},
                  {"5/s burst 9 algorithm fixed_window", 5, kNoBurst},
                  {"5/s burst 9 algorithm sliding_window", 5, kNoBurst},
                  {"5/s algorithm sliding_window_counter refill interval", 38, kNoRefill},
                  {"5/s refill continuous algorithm sliding_window", 5, kNoRefill},
                  {"5/s algorithm fixed_window precision 5", 28, kNoPrecision},
                  {"5/s precision 1024 algorithm fixed_window", 5, kNoPrecision},
                  {"5/s burst 9 precision 5", 13, kNoPrecision},
                  {"1/d burst 36526", 5, "this burst would take more than 100 years to refill"}});
}

TEST(LimitGrammar, Shows_strange_bytes_and_long_texts_on_one_short_line) {
  expect_refused({{"5/s\n", 4, kApart},
                  {"5/s\0"s, 4, kApart},
                  {"\xff\xfe", 1, kTokens},
                  {"5/\xc2\xb5s", 3, kUnit},
                  {std::string(100'000, '5'), 1, kTokens},
                  {"5/" + std::string(100'000, 'x'), 3, kUnit}});
  EXPECT_LT(Limit::parse(std::string(100'000, '\x01')).error().message().size(), 600U);
}

TEST(LimitGrammar, Reads_a_duration_alone) {
  EXPECT_EQ(grammar::read_duration("10ms").spec.period, 10ms);
  EXPECT_EQ(grammar::read_duration("min").spec.period, 1min);
  for (const std::string_view text : {"10ms", "min", "366d"})
    EXPECT_EQ(grammar::read_duration(text).problem, nullptr) << text;
  for (const std::string_view text : {"", "10", "0s", "10ms ", "60 s", "367d", "10ms burst 5"})
    EXPECT_NE(grammar::read_duration(text).problem, nullptr) << text;
}

// A text of the grammar in a form that no printer would choose, and what it must mean.
class Scribe {
 public:
  explicit Scribe(Random& random) : random_{random} {}

  std::string text;
  LimitSpec spec;

  void write() {
    spec.tokens = static_cast<std::uint64_t>(random_.log_between(0, std::int64_t{kMaxTokens}));
    text = number(spec.tokens) + "/";
    period();
    if (random_.chance(60)) {
      write_bucket();
    } else if (random_.chance(50)) {
      spec.precision = static_cast<std::uint64_t>(random_.log_between(1, 65535));
      options_.push_back("precision" + blanks() + number(spec.precision));
    }
    shuffle();
  }

 private:
  std::string blanks() {
    std::string all;
    for (std::int64_t i = random_.between(1, 3); i > 0; --i) all += random_.chance(80) ? ' ' : '\t';
    return all;
  }

  std::string number(std::uint64_t value) {
    return std::string(random_.chance(20) ? 3 : 0, '0') + std::to_string(value);
  }

  std::string any_case(std::string_view word) {
    std::string all;
    for (const char c : word) all += random_.chance(30) ? static_cast<char>(std::toupper(c)) : c;
    return all;
  }

  void period() {
    const grammar::Unit unit = random_.pick_from(grammar::kUnits);
    const auto most = static_cast<std::int64_t>(static_cast<std::uint64_t>(kMaxPeriod.count()) /
                                                unit.microseconds);
    const std::int64_t count = random_.log_between(1, most);
    spec.period = Duration{count * static_cast<std::int64_t>(unit.microseconds)};
    if (count != 1 || random_.chance(50)) text += number(static_cast<std::uint64_t>(count));
    text += any_case(unit.name) + (unit.plural && random_.chance(50) ? any_case("s") : "");
  }

  void write_bucket() {
    spec.algorithm = Algorithm::kTokenBucket;
    if (random_.chance(30)) {
      spec.refill = Refill::kInterval;
      options_.push_back(any_case("refill") + blanks() + any_case("interval"));
    }
    if (options_.empty() || random_.chance(30))
      options_.push_back(any_case("algorithm") + blanks() +
                         any_case(random_.chance(50) ? "token_bucket" : "gcra"));
    if (random_.chance(50)) {
      spec.burst = static_cast<std::uint64_t>(random_.log_between(0, 1000));
      options_.push_back(any_case("burst") + blanks() + number(*spec.burst));
    }
  }

  void shuffle() {
    while (!options_.empty()) {
      std::string& option = random_.pick_from(options_);
      text += blanks() + option;
      std::swap(option, options_.back());
      options_.pop_back();
    }
  }

  Random& random_;
  std::vector<std::string> options_;
};

TEST(LimitGrammar, Reads_random_texts_of_the_grammar_as_they_are_meant) {
  for_each_trace(20'000, [](Random& random) {
    Scribe scribe{random};
    scribe.write();
    const auto meant = Limit::make(scribe.spec);
    const auto limit = Limit::parse(scribe.text);
    ASSERT_EQ(limit.has_value(), meant.has_value()) << scribe.text;
    if (!limit) return;
    EXPECT_EQ(*limit, *meant) << scribe.text;
    EXPECT_EQ(limit_of(limit->to_string()), *limit) << scribe.text;
  });
}

// A good text with some bytes changed: refused in good order or read, never anything else.
TEST(LimitGrammar, Refuses_spoiled_texts_with_a_place_inside_of_them) {
  for_each_trace(20'000, [](Random& random) {
    Scribe scribe{random};
    scribe.write();
    std::string text = scribe.text;
    for (std::int64_t i = random.between(1, 3); i > 0 && !text.empty(); --i) {
      const auto at =
          static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(text.size()) - 1));
      random.chance(50) ? text.erase(at, 1)
                        : text.replace(at, 1, 1, random.pick({'0', ' ', '/', 's', 'b', '\n'}));
    }
    const grammar::Outcome read = grammar::read_limit(text);
    if (read.problem == nullptr) return;
    EXPECT_LE(read.at, text.size()) << text;
    EXPECT_EQ(Limit::parse(text).error().message().find('\n'), std::string::npos) << text;
  });
}

}  // namespace
}  // namespace tidegate::test
