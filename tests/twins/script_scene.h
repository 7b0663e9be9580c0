// The fixture for single calls: a Redis, the script, and takes in a line.
//
// Thread safety: none.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/limits.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_print.h"
#include "tests/twins/calls.h"

namespace tidegate::test {

class ScriptScene : public ::testing::Test {
 protected:
  static constexpr Time kNow{std::chrono::milliseconds{1'790'000'000'123}};

  Decision take(std::string_view key, const Limit& limit, Time now, Cost cost = 1,
                std::string_view layout = {}) {
    const std::vector<Take> takes{{.key = key, .limit = limit, .cost = cost}};
    return verdict_of(script_.run(call_of(TakeOp{.takes = takes}, now, layout)), takes)
        .decisions[0];
  }

  // By Redis' own clock.
  Decision take_now(std::string_view key, const Limit& limit, Cost cost = 1,
                    std::string_view layout = {}) {
    const std::vector<Take> takes{{.key = key, .limit = limit, .cost = cost}};
    return verdict_of(script_.run(at_redis_time(call_of(TakeOp{.takes = takes}, kNow, layout))),
                      takes)
        .decisions[0];
  }

  Decision check_now(std::string_view key, const Limit& limit, Cost cost = 1,
                     std::string_view layout = {}) {
    const std::vector<Take> takes{{.key = key, .limit = limit, .cost = cost}};
    const TakeOp op{.takes = takes, .check_only = true};
    return verdict_of(script_.run(at_redis_time(call_of(op, kNow, layout))), takes).decisions[0];
  }

  static Call at_redis_time(Call call) {
    call.arguments[1].clear();
    return call;
  }

  std::int64_t integer(std::initializer_list<std::string_view> words) {
    const RedisReply reply = redis_.ask(words);
    EXPECT_FALSE(reply.error()) << reply.text;
    return reply.integer;
  }
  std::string text(std::initializer_list<std::string_view> words) { return redis_.ask(words).text; }

  // What a key holds, whatever it is, and until when.
  std::string contents(std::string_view key) {
    return text({"DUMP", key}) + std::to_string(integer({"PEXPIRETIME", key}));
  }

  RedisServer redis_;
  Script script_{redis_};
};

}  // namespace tidegate::test
