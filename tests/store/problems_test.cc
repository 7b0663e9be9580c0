// What is wrong with an operation: each text names the key, what was wrong, and the remedy.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tidegate/store/store.h"

namespace tidegate {
namespace {

constexpr Limit kFive = "5/60s"_limit;

std::string text_of(const std::optional<Error>& problem) {
  return problem ? problem->message() : "none";
}

TEST(Problem, None_with_what_is_right) {
  EXPECT_EQ(text_of(problem_with("k", 0)), "none");
  EXPECT_EQ(text_of(problem_with("", std::numeric_limits<Cost>::max())), "none");
  EXPECT_EQ(text_of(problem_with(std::string(kMaxKeyBytes, 'k'), 1)), "none");
  EXPECT_EQ(text_of(problem_with(ResetOp{.key = "k"})), "none");
  EXPECT_EQ(text_of(problem_with(GiveBackOp{.key = "k", .limit = kFive})), "none");
  const std::vector<Take> most(kMaxTakes, Take{.key = "k", .limit = kFive, .cost = 0});
  EXPECT_EQ(text_of(problem_with(most)), "none");
}

TEST(Problem, Of_a_negative_cost_names_key_cost_and_remedy) {
  EXPECT_EQ(text_of(problem_with("user:42", -3)),
            "key \"user:42\": a cost is not negative, this one is -3; give_back undoes a take");
  EXPECT_EQ(text_of(problem_with(GiveBackOp{.key = "g", .limit = kFive, .cost = -1})),
            "key \"g\": a cost is not negative, this one is -1; give_back undoes a take");
}

TEST(Problem, Of_a_long_key_names_its_length_and_shows_only_its_start) {
  const std::string key(kMaxKeyBytes + 1, 'k');
  const std::string expected =
      "key \"" + std::string(80, 'k') + "...\": a key is at most 65536 bytes, this one has 65537";
  EXPECT_EQ(text_of(problem_with(key, 1)), expected);
  EXPECT_EQ(text_of(problem_with(ResetOp{.key = key})), expected);
  EXPECT_EQ(text_of(problem_with(GiveBackOp{.key = key, .limit = kFive})), expected);
  const std::vector<Take> takes{{.key = "a", .limit = kFive}, {.key = key, .limit = kFive}};
  EXPECT_EQ(text_of(problem_with(takes)), expected);
}

TEST(Problem, Shows_bytes_that_cannot_be_printed_as_numbers) {
  using namespace std::string_literals;
  EXPECT_NE(text_of(problem_with("a\0\xff\n\"b"s, -1)).find("key \"a\\x00\\xff\\x0a\\\"b\":"),
            std::string::npos);
}

TEST(Problem, Of_two_limits_on_one_identity_names_both_and_the_remedy) {
  const std::vector<Take> takes{{.key = "a", .limit = "9/h"_limit},
                                {.key = "k", .limit = kFive},
                                {.key = "b", .limit = kFive},
                                {.key = "k", .limit = "7/60s"_limit}};
  EXPECT_EQ(text_of(problem_with(takes)),
            "key \"k\": two limits in one request, 5/min and 7/min; give each limit its own key");
}

TEST(Problem, None_with_one_key_under_two_algorithms_or_twice_under_one_limit) {
  const std::vector<Take> takes{{.key = "k", .limit = kFive},
                                {.key = "k", .limit = "5/60s algorithm fixed_window"_limit},
                                {.key = "k", .limit = kFive, .role = Role::kShadow}};
  EXPECT_EQ(text_of(problem_with(takes)), "none");
}

TEST(Problem, Of_two_refills_of_one_bucket) {
  const std::vector<Take> takes{{.key = "k", .limit = "5/60s burst 5"_limit},
                                {.key = "k", .limit = "5/60s refill interval"_limit}};
  EXPECT_NE(text_of(problem_with(takes)).find("refill interval"), std::string::npos);
}

TEST(Problem, Of_too_few_or_too_many_takes_names_how_many_may_be) {
  EXPECT_EQ(text_of(problem_with(std::span<const Take>{})),
            "request: expected 1 to 128 takes, got 0");
  const std::vector<Take> many(kMaxTakes + 1, Take{.key = "k", .limit = kFive});
  EXPECT_EQ(text_of(problem_with(many)), "request: expected 1 to 128 takes, got 129");
}

}  // namespace
}  // namespace tidegate
