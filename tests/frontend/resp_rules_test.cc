// RL.RULES: descriptors in words, decided by the rules in use.
#include <gtest/gtest.h>

#include <string>

#include "tests/rules/loaded.h"
#include "tests/support/delayed_store.h"
#include "tests/support/resp_talk.h"

namespace tidegate {
namespace {

using namespace std::chrono_literals;
using test::RespTalk;

constexpr char kRules[] = R"(
domain: api
descriptors:
  - key: user
    rate_limit: {limit: 2/60s}
    descriptors:
      - key: path
        rate_limit: {limit: 1/60s}
  - key: address
    rate_limit: {limit: 3/60s}
  - key: internal
    rate_limit: {unlimited: true}
)";

class RespRules : public testing::Test {
 protected:
  RespRules() { talk.rules().use(test::load_text(kRules).rules); }

  RespTalk talk;
};

TEST_F(RespRules, Answers_the_decision_that_bound_and_its_descriptor) {
  EXPECT_EQ(talk("RL.RULES api 1 1 user 42"), "[1 2 1 0 60000 1700000000000000 0]");
  EXPECT_EQ(talk("RL.RULES api 2 1 address ::1 1 user 42"), "[1 2 0 0 60000 1700000000000000 1]");
  talk.clock.advance(1us);
  EXPECT_EQ(talk("rl.rules api 2 1 address ::1 1 user 42"),
            "[0 2 0 60000 60000 1700000000000001 1]");
  EXPECT_EQ(talk("RL.RULES api 1 1 address ::1 COST 2"), "[1 3 0 0 60000 1700000000000001 0]")
      << "what was denied charged nothing";
}

TEST_F(RespRules, Follows_the_entries_of_a_descriptor) {
  EXPECT_EQ(talk("RL.RULES api 1 2 user 42 path /a"), "[1 1 0 0 60000 1700000000000000 0]");
  EXPECT_EQ(talk("RL.RULES api 1 2 user 42 path /a"), "[0 1 0 60000 60000 1700000000000000 0]");
  EXPECT_EQ(talk("RL.RULES api 1 2 user 42 path /b"), "[1 1 0 0 60000 1700000000000000 0]");
}

TEST_F(RespRules, Allows_what_meets_no_limit) {
  const std::string without = "[1 -1 -1 0 0 1700000000000000 -1]";
  for (const char* line : {"RL.RULES api 1 1 other x", "RL.RULES elsewhere 1 1 user 42",
                           "RL.RULES api 1 1 internal yes", "RL.RULES api 1 2 address a path b"})
    EXPECT_EQ(talk(line), without) << line;
}

TEST_F(RespRules, Is_a_map_of_names_in_resp3) {
  talk("HELLO 3");
  EXPECT_EQ(talk("RL.RULES api 1 1 user 42"),
            "[allowed 1 limit 2 remaining 1 retry_after_ms 0 reset_after_ms 60000 at_us "
            "1700000000000000 binding 0]");
}

TEST_F(RespRules, Looks_with_a_cost_of_nothing) {
  EXPECT_EQ(talk("RL.RULES api 1 1 user 42 COST 0"), "[1 2 2 0 0 1700000000000000 0]");
  EXPECT_EQ(talk("RL.RULES api 1 1 user 42 cost 3"), "[0 2 2 -1 0 1700000000000000 0]");
}

TEST_F(RespRules, Names_the_word_that_is_wrong) {
  const std::pair<const char*, const char*> kMistakes[] = {
      {"RL.RULES api 0 1 user 42", "-ERR descriptors: expected an integer of 1 or more, not \"0\""},
      {"RL.RULES api 129 1 user 42", "-ERR descriptors: expected at most 128, not 129"},
      {"RL.RULES api 1 x user 42",
       "-ERR entries of descriptor 0: expected an integer of 1 or more, not \"x\""},
      {"RL.RULES api 1 2 user 42",
       "-ERR entries of descriptor 0: expected as many times key value as it says, 2"},
      {"RL.RULES api 1 9223372036854775807 user 42",
       "-ERR entries of descriptor 0: expected as many times key value as it says, "
       "9223372036854775807"},
      {"RL.RULES api 2 1 user 42",
       "-ERR entries of descriptor 1: expected their number, then so many of key value"},
      {"RL.RULES api 1 1 user 42 path /",
       "-ERR syntax: expected COST cost or nothing after the descriptors, not \"path\""},
      {"RL.RULES api 1 1 user 42 COST -1",
       "-ERR cost: expected an integer of 0 or more, not \"-1\""},
      {"RL.RULES api 1 1 user", "-ERR wrong number of arguments for 'rl.rules' command"}};
  for (const auto& [line, answer] : kMistakes) EXPECT_EQ(talk(line), answer) << line;
  EXPECT_EQ(talk.store.counters().keys, 0U);
}

TEST_F(RespRules, Are_counted_by_rule) {
  for (int i = 0; i < 3; ++i) talk("RL.RULES api 1 1 user 42");
  const frontend::RuleService::Counts counts = talk.rules().counts();
  const auto& of_user = counts.of_rules.at(0);
  EXPECT_EQ(of_user.of(frontend::Protocol::kResp, frontend::Counted::kAllowed), 2U);
  EXPECT_EQ(of_user.of(frontend::Protocol::kResp, frontend::Counted::kDenied), 1U);
}

TEST(RespRulesLate, Are_answered_in_order_and_may_outlive_their_connection) {
  ManualClock clock;
  MemoryStore memory{{}, clock};
  test::DelayedStore late{memory, 1};
  test::RespFrontEnd resp{late, clock, {}};
  resp.rules.use(test::load_text(kRules).rules);
  auto conversation = resp.loop.connect("peer");
  const std::string asked = test::request("RL.RULES api 1 1 user 42") + test::request("PING");
  conversation->feed(asked);
  EXPECT_EQ(conversation->output(), "");
  late.run_all();
  EXPECT_EQ(test::replies_in(conversation->output()),
            (std::vector<std::string>{"[1 2 1 0 60000 1700000000000000 0]", "PONG"}));
  conversation->feed(asked);
  conversation.reset();
  EXPECT_GT(late.run_all(), 0U);
}

}  // namespace
}  // namespace tidegate
