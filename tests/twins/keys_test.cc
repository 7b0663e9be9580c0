// What the keys are: their texts, their TTLs, their size, and what else may be found in their
// place.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/store_limits.h"
#include "tests/twins/script_scene.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;

using StateKey = ScriptScene;

TEST_F(StateKey, Is_a_text_that_people_can_read) {
  take("k", "5/60s algorithm fixed_window"_limit, kNow, 3);
  EXPECT_EQ(text({"GET", "fixed_window:k"}), "count 3 at 1790000000123000 under 5/60000000us");
  take("k", "5/60s algorithm sliding_window_counter"_limit, kNow, 3);
  EXPECT_EQ(text({"GET", "sliding_window_counter:k"}),
            "current 3 previous 0 at 1790000000123000 under 5/60000000us");
  take("k", "5/60s burst 7"_limit, kNow, 3);
  EXPECT_EQ(text({"GET", "token_bucket:k"}),
            "debt 3 + 0/12000000 at 1790000000123000 under 5/60000000us burst 7");
  take("k", "5/60s burst 7 refill interval"_limit, kNow, 1);
  EXPECT_EQ(text({"GET", "token_bucket:k"}),
            "debt 4 + 0/12000000 at 1790000000123000 under 5/60000000us burst 7 refill interval");
}

TEST_F(StateKey, Says_under_which_limit_it_was_used_and_what_is_left) {
  for (const LimitCase& each : limit_cases()) {
    const Limit& limit = each.limit;
    take("k", limit, kNow, 2);
    const std::string key = name_of("k", limit);
    const std::string now = std::to_string(kNow.time_since_epoch().count());
    const RedisReply found =
        script_.run({{key}, {"inspect", now, std::string{name(limit.algorithm())}}});
    ASSERT_EQ(found.elements.size(), 1U);
    const auto& fields = found.elements[0].elements;
    ASSERT_EQ(fields.size(), 4U) << found.elements[0].text;
    const bool named = limit.algorithm() == Algorithm::kSlidingWindow ||
                       limit.algorithm() == Algorithm::kTokenBucket;
    EXPECT_EQ(
        limit_of(named ? fields[0].text
                       : fields[0].text + " algorithm " + std::string{name(limit.algorithm())}),
        limit);
    const Decision peek = take("k", limit, kNow, 0);
    EXPECT_EQ(fields[1].integer, peek.remaining);
    EXPECT_EQ(fields[2].integer, peek.reset_after.count());
    EXPECT_EQ(fields[3].integer, peek.at.time_since_epoch().count());
    EXPECT_EQ(script_.run({{key}, {"reset"}}).integer, 1);
  }
}

TEST_F(StateKey, Inspected_is_nil_when_there_is_none_and_a_text_when_it_is_something_else) {
  redis_.ask({"SET", "other", "hello"});
  const RedisReply found =
      script_.run({{"none", "other"}, {"inspect", "", "fixed_window", "sliding_window"}});
  EXPECT_TRUE(found.elements[0].null());
  EXPECT_EQ(found.elements[1].text, "holds a string that is not the state of a sliding_window");
}

TEST_F(StateKey, Lives_for_as_long_as_it_matters_and_two_seconds_more_at_most) {
  for (const LimitCase& each : limit_cases()) {
    const Decision decision = take_now("k", each.limit, 2);
    const std::chrono::milliseconds ttl{integer({"PTTL", name_of("k", each.limit)})};
    EXPECT_GE(ttl + 1ms, decision.reset_after) << each.name;
    EXPECT_LE(ttl, decision.reset_after + 2s) << each.name;
    redis_.ask({"FLUSHALL"});
  }
}

TEST_F(StateKey, Of_a_period_below_a_millisecond_has_a_ttl_too) {
  for (const std::string_view algorithm :
       {"sliding_window", "sliding_window_counter", "fixed_window", "token_bucket"}) {
    const Limit limit = limit_of("3/7us algorithm " + std::string{algorithm});
    EXPECT_TRUE(take_now("k", limit).allowed);
    EXPECT_GT(integer({"PTTL", name_of("k", limit)}), 0);
  }
}

TEST_F(StateKey, Without_a_ttl_gets_one_from_the_next_take_admitted_or_not) {
  for (const LimitCase& each : limit_cases()) {
    const std::string key = name_of("k", each.limit);
    take_now("k", each.limit, 1);
    redis_.ask({"PERSIST", key});
    EXPECT_TRUE(take_now("k", each.limit, 1).allowed);
    EXPECT_GT(integer({"PTTL", key}), 0) << each.name;
    redis_.ask({"PERSIST", key});
    const Decision denied = take_now("k", each.limit, each.limit.capacity());
    EXPECT_FALSE(denied.allowed);
    EXPECT_GE(std::chrono::milliseconds{integer({"PTTL", key}) + 1}, denied.reset_after);
    redis_.ask({"FLUSHALL"});
  }
}

TEST_F(StateKey, Is_not_written_by_a_denial_a_check_or_a_cost_of_none) {
  for (const LimitCase& each : limit_cases()) {
    const std::string key = name_of("k", each.limit);
    take_now("k", each.limit, 2);
    const std::string before = contents(key);
    EXPECT_FALSE(take_now("k", each.limit, each.limit.capacity()).allowed);
    EXPECT_FALSE(take_now("k", each.limit, each.limit.capacity() + 1).allowed);
    EXPECT_TRUE(take_now("k", each.limit, 0).allowed);
    EXPECT_TRUE(check_now("k", each.limit).allowed);
    EXPECT_FALSE(take_now("new", each.limit, each.limit.capacity() + 1).allowed);
    EXPECT_EQ(contents(key), before) << each.name;
    EXPECT_EQ(integer({"DBSIZE"}), 1);
    redis_.ask({"FLUSHALL"});
  }
}

TEST_F(StateKey, Counts_by_the_clock_of_redis) {
  const auto redis_time = [&] {
    const RedisReply time = redis_.ask({"TIME"});
    return Time{std::chrono::seconds{std::stoll(time.elements[0].text)}} +
           Duration{std::stoll(time.elements[1].text)};
  };
  const Time before = redis_time();
  const Time at = take_now("k", "5/60s"_limit).at;
  EXPECT_LE(before, at);
  EXPECT_LE(at, redis_time());
}

// Requires a key that is none of the limit's states.
class ForeignKey : public ScriptScene, public ::testing::WithParamInterface<LimitCase> {
 protected:
  void expect_an_error(std::initializer_list<std::string_view> write) {
    const Limit& limit = GetParam().limit;
    redis_.ask({"FLUSHALL"});
    const std::string key = name_of("k", limit);
    std::vector<std::string_view> words{write};
    words[1] = key;
    EXPECT_FALSE(redis_.ask(words).error());
    const std::string before = contents(key);
    const std::vector<Take> takes{{.key = "good", .limit = limit}, {.key = "k", .limit = limit}};
    const RedisReply reply =
        script_.run(call_of(TakeOp{.takes = takes, .charge = Charge::kEach}, kNow));
    EXPECT_TRUE(reply.error());
    EXPECT_TRUE(reply.text.starts_with("TIDEGATE key 2 holds a ")) << reply.text;
    EXPECT_EQ(contents(key), before);
    EXPECT_EQ(integer({"DBSIZE"}), 1) << "the other take was charged";
    EXPECT_TRUE(script_.run(call_of(GiveBackOp{.key = "k", .limit = limit}, kNow)).error());
    EXPECT_TRUE(take("good", limit, kNow).allowed);
  }
};

TEST_P(ForeignKey, Is_an_error_for_that_request_only) {
  expect_an_error({"SET", "", "hello"});
  expect_an_error({"SET", "", ""});
  expect_an_error({"SET", "", "a text of more bytes than any header that we have in our strings"});
  expect_an_error({"LPUSH", "", "1"});
  expect_an_error({"HSET", "", "count", "1"});
  expect_an_error({"ZADD", "", "1", "1"});
  expect_an_error({"SADD", "", "1"});
}

TEST_P(ForeignKey, Is_forgotten_by_reset_all_the_same) {
  redis_.ask({"LPUSH", name_of("k", GetParam().limit), "1"});
  EXPECT_EQ(script_.run(call_to_reset("k")).integer, 1);
  EXPECT_TRUE(take("k", GetParam().limit, kNow).allowed);
}

INSTANTIATE_TEST_SUITE_P(Every, ForeignKey, ::testing::ValuesIn(limit_cases()),
                         [](const auto& info) { return info.param.name; });

// In bytes, as MEMORY USAGE counts them, after so many hits at different times.
class LogSize : public ScriptScene {
 protected:
  std::int64_t bytes_after(int hits, const Limit& limit) {
    redis_.ask({"FLUSHALL"});
    for (int i = 0; i < hits; ++i)
      EXPECT_TRUE(take("k", limit, kNow + i * (limit.period() / (2 * hits))).allowed);
    return integer({"MEMORY", "USAGE", "sliding_window:k"});
  }
};

TEST_F(LogSize, Is_at_most_12_bytes_a_hit_and_250) {
  for (const int hits : {10, 100, 300, 600, 1'000})
    EXPECT_LE(bytes_after(hits, "1000/h"_limit), 12 * hits + 250) << hits << " hits";
}

TEST_F(LogSize, Of_a_coarse_limit_is_at_most_16_kb) {
  EXPECT_LE(bytes_after(5'000, "1000000/h"_limit), 16 * 1'024);
}

TEST_F(LogSize, Shrinks_when_there_are_few_hits_left) {
  bytes_after(1'000, "1000/h"_limit);
  for (int i = 0; i < 10; ++i) take("k", "1000/h"_limit, kNow + 2h + i * 1s);
  EXPECT_LE(integer({"MEMORY", "USAGE", "sliding_window:k"}), 1'000);
}

}  // namespace
}  // namespace tidegate::test
