// The layouts that services already write: the decisions, and taking over keys in mid-window.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/twins/script_scene.h"
#include "tests/twins/services.h"
#include "tests/twins/twin_scene.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;

class Layout : public TwinScene, public ::testing::WithParamInterface<const char*> {};

TEST_P(Layout, Answers_every_call_as_sliding_window_does) {
  expect_equal_answers({.kinds = {{Algorithm::kSlidingWindow}},
                        .layout = GetParam(),
                        .tick = 1ms,
                        .most_tokens = 100});
}

INSTANTIATE_TEST_SUITE_P(Every, Layout, ::testing::Values("zset", "list"),
                         [](const auto& info) { return info.param; });

// Sleeps of a service's callers: none, short ones, one until the window has passed.
Duration some_sleep(Random& random, Duration period) {
  const std::int64_t ms = period / 1ms;
  return random.pick<std::int64_t>({0, 0, 1, random.between(0, ms / 4), random.between(0, ms)}) *
         Duration{1ms};
}

class LiveKey : public ScriptScene, public ::testing::WithParamInterface<const char*> {
 protected:
  static constexpr Limit kFive = "5/10s"_limit;

  std::unique_ptr<Service> service(const std::string& key) {
    const std::int64_t most = kFive.tokens();
    if (std::string_view{GetParam()} == "zset")
      return std::make_unique<SortedSetService>(redis_, key, most, kFive.period());
    return std::make_unique<PassListService>(redis_, key, most, kFive.period());
  }

  bool passes(std::string_view key, Time now) {
    return take(key, kFive, now, 1, GetParam()).allowed;
  }
};

TEST_P(LiveKey, Is_gone_on_from_in_mid_window) {
  for_each_trace(10, [&](Random& random) {
    redis_.ask({"FLUSHALL"});
    const auto before = service("live"), alone = service("alone");
    Time now = kNow;
    const std::int64_t taken_over_at = random.between(1, 30);
    for (int i = 0; i < 60; ++i, now += some_sleep(random, kFive.period())) {
      const bool expected = alone->pass(now);
      EXPECT_EQ(i < taken_over_at ? before->pass(now) : passes("live", now), expected)
          << "call " << i << ", taken over at " << taken_over_at;
    }
  });
}

TEST_P(LiveKey, May_be_written_by_both_at_once) {
  for_each_trace(10, [&](Random& random) {
    redis_.ask({"FLUSHALL"});
    const auto other = service("live"), alone = service("alone");
    Time now = kNow;
    for (int i = 0; i < 60; ++i, now += some_sleep(random, kFive.period())) {
      const bool expected = alone->pass(now);
      EXPECT_EQ(random.chance(50) ? other->pass(now) : passes("live", now), expected)
          << "call " << i;
    }
  });
}

TEST_P(LiveKey, Keeps_no_more_than_the_hits_that_count_and_a_ttl) {
  const std::string_view size = std::string_view{GetParam()} == "zset" ? "ZCARD" : "LLEN";
  for (int i = 0; i < 200; ++i) {
    passes("live", kNow + i * 300ms);
    EXPECT_LE(integer({size, "live"}), 5);
    EXPECT_GT(integer({"PTTL", "live"}), 0);
  }
}

TEST_P(LiveKey, Without_a_ttl_gets_one_from_a_denial) {
  const auto other = service("live");
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(other->pass(kNow));
  redis_.ask({"PERSIST", "live"});
  EXPECT_FALSE(passes("live", kNow));
  EXPECT_GT(integer({"PTTL", "live"}), 9'000);
}

TEST_P(LiveKey, Is_left_as_it_was_by_refused_calls) {
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(passes("live", kNow));
  const std::string before = contents("live");
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(passes("live", kNow + i * 1ms));
  EXPECT_EQ(contents("live"), before);
}

TEST_P(LiveKey, Of_another_type_is_an_error) {
  redis_.ask({"SET", "live", "1"});
  const std::vector<Take> takes{{.key = "live", .limit = kFive}};
  const RedisReply reply = script_.run(call_of(TakeOp{.takes = takes}, kNow, GetParam()));
  EXPECT_TRUE(reply.text.starts_with("TIDEGATE key 1 holds a string that is not a ")) << reply.text;
}

TEST_P(LiveKey, Is_refused_under_a_limit_of_more_hits_than_it_should_keep) {
  const std::vector<Take> takes{{.key = "live", .limit = "65537/h"_limit, .cost = 65'537}};
  const RedisReply reply = script_.run(call_of(TakeOp{.takes = takes}, kNow, GetParam()));
  EXPECT_TRUE(reply.error());
  EXPECT_NE(reply.text.find("65536"), std::string::npos) << reply.text;
}

INSTANTIATE_TEST_SUITE_P(Every, LiveKey, ::testing::Values("zset", "list"),
                         [](const auto& info) { return info.param; });

using SortedSet = ScriptScene;

TEST_F(SortedSet, May_have_members_of_any_name) {
  const std::string ms = std::to_string(kNow.time_since_epoch() / 1ms);
  for (const std::string& member :
       {ms, ms + "-0", ms + "-1", std::string{"\0\xff", 2}, std::string{}})
    redis_.ask({"ZADD", "k", ms, member});
  EXPECT_EQ(take("k", "8/10s"_limit, kNow, 1, "zset").remaining, 2U);
  EXPECT_EQ(take("k", "8/10s"_limit, kNow, 2, "zset").remaining, 0U);
  EXPECT_EQ(integer({"ZCARD", "k"}), 8);
}

TEST_F(SortedSet, May_have_times_between_milliseconds) {
  redis_.ask({"ZADD", "k", "1790000000123.25", "a"});
  const Decision denied = take("k", "1/10s"_limit, kNow + 5ms, 1, "zset");
  EXPECT_EQ(denied.retry_after, 9'996ms);
  EXPECT_FALSE(take("k", "1/10s"_limit, kNow + 10'000ms, 1, "zset").allowed);
  EXPECT_TRUE(take("k", "1/10s"_limit, kNow + 10'001ms, 1, "zset").allowed);
}

// A service that adds the calls it refuses keeps a client out for as long as that tries by way of
// it; ours sees those hits as any others. Never more than the limit is admitted.
TEST_F(SortedSet, Counts_what_old_writers_add_for_refused_calls) {
  constexpr Limit kFive = "5/10s"_limit;
  SortedSetService old{redis_, "k", 5, 10s, Refused::kAdded};
  Time now = kNow;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(old.pass(now));
  for (; now < kNow + 60s; now += 1s) {
    EXPECT_FALSE(old.pass(now));
    EXPECT_FALSE(take("k", kFive, now, 1, "zset").allowed);
  }
  const Decision denied = take("k", kFive, now, 1, "zset");
  EXPECT_LE(denied.retry_after, 10s);
  EXPECT_TRUE(take("k", kFive, now + denied.retry_after, 1, "zset").allowed);
}

class Counter : public ScriptScene {
 protected:
  static constexpr Limit kTwenty = "20/10s algorithm fixed_window"_limit;
  Decision take_one(Cost cost = 1) { return take_now("k", kTwenty, cost, "counter"); }
};

TEST_F(Counter, Lives_for_one_period_from_its_first_hit) {
  EXPECT_EQ(take_one(3).remaining, 17U);
  EXPECT_EQ(text({"GET", "k"}), "3");
  EXPECT_GT(integer({"PTTL", "k"}), 9'000);
  EXPECT_LE(integer({"PTTL", "k"}), 10'000);
}

TEST_F(Counter, Found_with_a_ttl_keeps_its_own_end) {
  CounterService old{redis_, "k", 20, 4s};
  for (int i = 0; i < 15; ++i) EXPECT_TRUE(old.pass(kNow));
  const std::int64_t end = integer({"PEXPIRETIME", "k"});
  const Decision fifth = take_one(5);
  EXPECT_TRUE(fifth.allowed);
  EXPECT_EQ(fifth.remaining, 0U);
  EXPECT_LE(integer({"PEXPIRETIME", "k"}) - end, 1);
  const Decision denied = take_one();
  EXPECT_FALSE(denied.allowed);
  EXPECT_LE(denied.retry_after, 4s + 2ms);
  EXPECT_GT(denied.retry_after, 3s);
  EXPECT_FALSE(old.pass(kNow));
}

TEST_F(Counter, Ends_when_the_denied_were_told) {
  redis_.ask({"SET", "k", "20", "PX", "200"});
  const Decision denied = take_one();
  EXPECT_FALSE(denied.allowed);
  while (check_now("k", kTwenty, 1, "counter").at < denied.at + denied.retry_after) {
  }
  EXPECT_TRUE(take_one().allowed);
}

TEST_F(Counter, That_a_crash_left_without_a_ttl_gets_one) {
  redis_.ask({"SET", "k", "20"});
  EXPECT_FALSE(take_one().allowed);
  EXPECT_GT(integer({"PTTL", "k"}), 9'000);
  redis_.ask({"SET", "k", "3"});
  EXPECT_EQ(take_one().remaining, 16U);
  EXPECT_GT(integer({"PTTL", "k"}), 9'000);
}

TEST_F(Counter, Holds_hits_that_were_refused_by_others_and_numbers_beyond_any) {
  redis_.ask({"SET", "k", "9223372036854775807", "PX", "5000"});
  EXPECT_FALSE(take_one().allowed);
  redis_.ask({"SET", "k", "-3", "PX", "5000"});
  EXPECT_EQ(take_one().remaining, 19U);
  redis_.ask({"SET", "k", "3.5", "PX", "5000"});
  EXPECT_THROW(take_one(), std::runtime_error);
}

TEST_F(Counter, Takes_back_what_was_taken_in_its_window) {
  const Decision taken = take_one(5);
  const auto give_back = [&](Time at) {
    const GiveBackOp op{.key = "k", .limit = kTwenty, .cost = 2, .at = at};
    script_.run(at_redis_time(call_of(op, kNow, "counter")));
    return text({"GET", "k"});
  };
  EXPECT_EQ(give_back(taken.at), "3");
  EXPECT_EQ(give_back(taken.at - 10s), "3");
  EXPECT_LE(integer({"PTTL", "k"}), 10'001);
}

}  // namespace
}  // namespace tidegate::test
