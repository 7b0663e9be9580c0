// Answers worked out beforehand with the exact models, to the microsecond: vectors.jsonl, one case
// a line.
//
// A case is a limit and steps on one fresh key. `take` and `peek` are answered; `give_back` undoes
// part of a take and then peeks; `set_limit` changes the limit on the live key. retry_after_us is
// null for never.
#include <gtest/gtest.h>

#include <boost/json/src.hpp>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/support/limits.h"

namespace tidegate::test {
namespace {

using boost::json::object;
using boost::json::value;

std::int64_t integer(const value& v) {
  return v.to_number<std::int64_t>();
}

Algorithm algorithm_of(std::string_view text) {
  for (const Kind& kind : kKinds)
    if (name(kind.algorithm) == text) return kind.algorithm;
  throw std::invalid_argument{"no such algorithm: " + std::string{text}};
}

Limit limit_of_json(const object& json) {
  LimitSpec spec{.tokens = static_cast<std::uint64_t>(integer(json.at("tokens"))),
                 .period = Duration{integer(json.at("period_us"))},
                 .algorithm = algorithm_of(json.at("algorithm").as_string())};
  if (const value* burst = json.if_contains("burst"))
    spec.burst = static_cast<std::uint64_t>(integer(*burst));
  if (const value* refill = json.if_contains("refill"))
    spec.refill = refill->as_string() == "interval" ? Refill::kInterval : Refill::kContinuous;
  if (const value* precision = json.if_contains("precision"))
    spec.precision = static_cast<std::uint64_t>(integer(*precision));
  return limit_of(spec);
}

// One case: a live key and the limit it is under.
class Replay {
 public:
  explicit Replay(const Limit& limit) : limit_{limit}, state_{make_state(limit.algorithm())} {}

  Decision step(const object& step) {
    const Time now = at_us(integer(step.at("at_us")));
    const std::string_view op = step.at("op").as_string();
    if (op == "set_limit") limit_ = limit_of_json(step.at("limit").as_object());
    if (op == "give_back")
      give_back(state_, limit_, now, integer(step.at("cost")),
                at_us(integer(step.at("taken_at_us"))));
    return take(state_, limit_, now, op == "take" ? integer(step.at("cost")) : 0);
  }

 private:
  Limit limit_;
  AnyState state_;
};

void compare(const Decision& got, const object& expected) {
  const value& retry = expected.at("retry_after_us");
  EXPECT_EQ(got.allowed, expected.at("allowed").as_bool());
  EXPECT_EQ(got.remaining, integer(expected.at("remaining")));
  EXPECT_EQ(got.reset_after.count(), integer(expected.at("reset_after_us")));
  EXPECT_EQ(got.retry_after.count(), retry.is_null() ? kNever.count() : integer(retry));
}

TEST(Vectors, Every_answer_is_the_models) {
  std::ifstream file{TIDEGATE_SOURCE_DIR "/tests/algorithm/vectors.jsonl"};
  ASSERT_TRUE(file) << "vectors.jsonl is missing";
  int cases = 0, steps = 0, answers = 0;
  for (std::string line; std::getline(file, line); ++cases) {
    const value parsed = boost::json::parse(line);
    Replay replay{limit_of_json(parsed.at("limit").as_object())};
    for (const value& step : parsed.at("steps").as_array()) {
      SCOPED_TRACE(std::string{parsed.at("name").as_string()} + ", " + serialize(step));
      ++steps;
      const Decision got = replay.step(step.as_object());
      const value* expected = step.as_object().if_contains("expect");
      if (expected == nullptr) continue;
      ++answers;
      compare(got, expected->as_object());
    }
  }
  EXPECT_EQ(cases, 131);
  EXPECT_EQ(steps, 739);
  EXPECT_EQ(answers, 702);
}

}  // namespace
}  // namespace tidegate::test
