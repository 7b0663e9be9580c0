// CL.THROTTLE against what redis-cell answers, and where that is a fault, the right answer.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/resp_talk.h"

namespace tidegate {
namespace {

using test::RespTalk;

struct Exchange {
  const char* call;
  const char* reply;
};

void expect(RespTalk& talk, const std::vector<Exchange>& exchanges) {
  for (const auto& [call, reply] : exchanges)
    EXPECT_EQ(talk(std::string{"CL.THROTTLE "} + call), reply) << call;
}

TEST(Throttle, Counts_down_from_one_above_the_burst) {
  RespTalk talk;
  expect(talk, {{"u1 15 30 60", "[0 16 15 -1 2]"},
                {"u1 15 30 60", "[0 16 14 -1 4]"},
                {"u1 15 30 60 3", "[0 16 11 -1 10]"}});
}

TEST(Throttle, Is_the_demonstration_of_its_manual) {
  RespTalk talk;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(talk("cl.throttle user 4 5 60")[1], '0');
  EXPECT_EQ(talk("cl.throttle user 4 5 60"), "[1 5 0 12 60]");
}

TEST(Throttle, Looks_with_a_quantity_of_0) {
  RespTalk talk;
  expect(talk, {{"p1 15 30 60 0", "[0 16 16 -1 0]"}});
  EXPECT_EQ(talk.store.counters().keys, 0U) << "and leaves no key behind";
  expect(talk, {{"p1 15 30 60 1", "[0 16 15 -1 2]"}, {"p1 15 30 60 0", "[0 16 15 -1 2]"}});
}

TEST(Throttle, Says_never_to_more_than_fits) {
  RespTalk talk;
  expect(talk, {{"big 4 10 60 6", "[1 5 5 -1 0]"},
                {"big 4 10 60 5", "[0 5 0 -1 30]"},
                {"big 4 10 60 1", "[1 5 0 6 30]"},
                {"big 4 10 60 0", "[0 5 0 -1 30]"},
                {"big 4 10 60 6", "[1 5 0 -1 30]"},
                {"big 4 10 60 5", "[1 5 0 30 30]"}});
}

TEST(Throttle, Allows_one_at_once_without_a_burst) {
  RespTalk talk;
  expect(talk, {{"x 0 1 1", "[0 1 0 -1 1]"}, {"x 0 1 1", "[1 1 0 1 1]"}});
}

TEST(Throttle, Keeps_what_was_used_when_the_parameters_change) {
  RespTalk talk;
  expect(talk, {{"chg 9 10 60 10", "[0 10 0 -1 60]"},
                {"chg 1 10 60 0", "[0 2 0 -1 12]"},
                {"chg 1 10 60 1", "[1 2 0 6 12]"},
                {"chg 99 100 60 0", "[0 100 90 -1 6]"},
                {"chg 9 10 60 1", "[1 10 0 6 60]"}});
}

TEST(Throttle, Never_shows_more_remaining_than_the_limit) {
  RespTalk talk;
  expect(talk, {{"lr2 6000 6000 1", "[0 6001 6000 -1 1]"}});
}

TEST(Throttle, Rounds_every_wait_up) {
  RespTalk talk;
  expect(talk, {{"r 0 1000 1", "[0 1 0 -1 1]"}, {"r 0 1000 1", "[1 1 0 1 1]"}});
  talk.clock.advance(Duration{999});
  expect(talk, {{"r 0 1000 1", "[1 1 0 1 1]"}});
  talk.clock.advance(Duration{1});
  expect(talk, {{"r 0 1000 1", "[0 1 0 -1 1]"}});
}

TEST(Throttle, Takes_rates_that_redis_cell_cannot) {
  RespTalk talk;
  expect(talk, {{"fast 0 2000000000 1", "[0 1 0 -1 1]"}, {"plus +4 +5 +60", "[0 5 4 -1 12]"}});
}

TEST(Throttle, Tells_limits_apart_however_many_there_are) {
  RespTalk talk;
  for (int again = 0; again < 2; ++again)
    for (int burst = 0; burst < 1'000; ++burst) {
      const std::string limit = std::to_string(burst + 1);
      std::string expected = "[0 ";
      expected.append(limit).append(" ").append(limit).append(" -1 0]");
      EXPECT_EQ(talk("CL.THROTTLE k " + std::to_string(burst) + " 1 1 0"), expected);
    }
}

TEST(Throttle, Takes_keys_of_any_bytes) {
  RespTalk talk;
  const std::string key{"\0\xff\r\n key", 8};
  std::string bytes;
  resp::append_request(bytes, std::vector<std::string_view>{"CL.THROTTLE", key, "0", "1", "1"});
  resp::append_request(bytes, std::vector<std::string_view>{"CL.THROTTLE", key, "0", "1", "1"});
  resp::append_request(bytes, std::vector<std::string_view>{"CL.THROTTLE", "", "0", "1", "1"});
  EXPECT_EQ(test::replies_in(talk.send(bytes)),
            (std::vector<std::string>{"[0 1 0 -1 1]", "[1 1 0 1 1]", "[0 1 0 -1 1]"}));
}

TEST(Throttle, Refuses_what_is_no_limit_and_names_the_argument) {
  RespTalk talk;
  const auto is_64_bits = [](const char* name, const char* word) {
    return std::string{"-ERR "} + name + ": expected an integer of 64 bits, not \"" + word + "\"";
  };
  expect(talk, {{"k -1 1 1", "-ERR max_burst: expected 0 to 4294967294, not -1"},
                {"k -2 1 1", "-ERR max_burst: expected 0 to 4294967294, not -2"},
                {"k 4294967295 1 1", "-ERR max_burst: expected 0 to 4294967294, not 4294967295"},
                {"k 9223372036854775807 1 1",
                 "-ERR max_burst: expected 0 to 4294967294, not 9223372036854775807"},
                {"k 1 0 1", "-ERR count: expected 1 to 4294967295, not 0"},
                {"k 4 -10 60", "-ERR count: expected 1 to 4294967295, not -10"},
                {"k 1 1 0", "-ERR period: expected 1 to 31622400, not 0"},
                {"k 4 10 -60", "-ERR period: expected 1 to 31622400, not -60"},
                {"k 1 1 1 -1", "-ERR quantity: expected 0 or more, not -1; RL.GIVEBACK gives back"},
                {"k 1", "-ERR wrong number of arguments for 'cl.throttle' command"},
                {"k 1 1 1 1 1", "-ERR wrong number of arguments for 'cl.throttle' command"}});
  EXPECT_EQ(talk("CL.THROTTLE k 1.5 1 1"), is_64_bits("max_burst", "1.5"));
  EXPECT_EQ(talk("CL.THROTTLE k 1 9223372036854775808 1"),
            is_64_bits("count", "9223372036854775808"));
  EXPECT_EQ(talk("CL.THROTTLE k 1 1 x"), is_64_bits("period", "x"));
  EXPECT_EQ(talk("CL.THROTTLE k 1 1 1 +-1"), is_64_bits("quantity", "+-1"));
  EXPECT_NE(talk("CL.THROTTLE k 4294967294 1 31622400").find("-ERR"), std::string::npos)
      << "it would take more than 100 years to refill";
  EXPECT_EQ(talk.store.counters().keys, 0U);
}

TEST(Throttle, Refuses_a_key_that_is_too_long) {
  RespTalk talk;
  EXPECT_EQ(talk("CL.THROTTLE " + std::string(kMaxKeyBytes, 'k') + " 0 1 1"), "[0 1 0 -1 1]");
  EXPECT_TRUE(
      talk("CL.THROTTLE " + std::string(kMaxKeyBytes + 1, 'k') + " 0 1 1").starts_with("-ERR"));
}

}  // namespace
}  // namespace tidegate
