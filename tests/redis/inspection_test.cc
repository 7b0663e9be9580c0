#include "tidegate/store/redis/inspection.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "tests/redis/harness.h"
#include "tests/support/store_limits.h"
#include "tidegate/limiter.h"
#include "tidegate/store/redis/background_store.h"

namespace tidegate::test {
namespace {

class RedisInspection : public ::testing::Test {
 protected:
  struct Seen {
    std::map<std::string, KeyState> states;
    std::vector<Error> strangers;
  };

  Seen inspect(const std::string& glob) {
    Inspection inspection{store_->store(), glob, system_clock()};
    Seen seen;
    for (bool last = false; !last;) {
      const auto page = inspection.next();
      if (!page) {
        ADD_FAILURE() << page.error().message();
        break;
      }
      for (const KeyState& state : page->states) seen.states.emplace(state.key, state);
      for (const Error& stranger : page->strangers) seen.strangers.push_back(stranger);
      last = page->last;
    }
    return seen;
  }

  RedisServer server_;
  std::unique_ptr<BackgroundRedisStore> store_ =
      BackgroundRedisStore::open(redis_options(server_.url() + "?timeout=10s")).value();
  Limiter limiter_{static_cast<Store&>(*store_)};
};

TEST_F(RedisInspection, Shows_the_limit_last_used_and_what_is_left) {
  for (const LimitCase& each : limit_cases()) ASSERT_TRUE(limiter_.take(each.name, each.limit, 2));
  const Seen seen = inspect("*");
  EXPECT_EQ(seen.states.size(), limit_cases().size());
  for (const LimitCase& each : limit_cases()) {
    ASSERT_TRUE(seen.states.contains(each.name));
    const KeyState& state = seen.states.at(each.name);
    EXPECT_EQ(state.limit, each.limit) << state.limit.to_string();
    EXPECT_EQ(state.remaining, each.limit.capacity() - 2) << each.name;
    EXPECT_GT(state.reset_after, Duration{0});
  }
}

TEST_F(RedisInspection, Pages_hold_every_key_that_matches) {
  for (int i = 0; i < 1'200; ++i)
    ASSERT_TRUE(limiter_.take((i % 3 == 0 ? "ann:" : "bob:") + std::to_string(i), "5/h"_limit));
  EXPECT_EQ(inspect("*").states.size(), 1'200U);
  EXPECT_EQ(inspect("ann:*").states.size(), 400U);
  EXPECT_EQ(inspect("ann:0").states.size(), 1U);
  EXPECT_EQ(inspect("nobody").states.size(), 0U);
}

TEST_F(RedisInspection, Any_bytes_are_a_key) {
  const std::string odd{"a{b}%\0\r\n\xff", 9};
  ASSERT_TRUE(limiter_.take(odd, "5/h"_limit));
  EXPECT_TRUE(inspect("*").states.contains(odd));
  EXPECT_TRUE(inspect("a{b}*").states.contains(odd));
}

TEST_F(RedisInspection, Strangers_are_told_and_the_rest_is_shown) {
  ASSERT_TRUE(limiter_.take("mine", "5/h"_limit));
  server_.ask({"LPUSH", "tidegate:{list}:sliding_window", "x"});
  server_.ask({"SET", "unrelated", "x"});
  const Seen seen = inspect("*");
  EXPECT_EQ(seen.states.size(), 1U);
  ASSERT_EQ(seen.strangers.size(), 1U);
  EXPECT_EQ(seen.strangers.front().where, "key \"list\"");
}

}  // namespace
}  // namespace tidegate::test
