// Operations as calls of the script, and what it says as verdicts.
//
// Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/redis_server.h"
#include "tidegate/store/store.h"

namespace tidegate::test {

struct Call {
  std::vector<std::string> keys;
  std::vector<std::string> arguments;
};

// A name that holds both key and algorithm.
std::string name_of(std::string_view key, const Limit& limit);

// `layout` instead of the limit's own form, when there is one.
Call call_of(const TakeOp& op, Time now, std::string_view layout = {});
Call call_of(const GiveBackOp& op, Time now, std::string_view layout = {});
Call call_to_reset(std::string_view key, std::string_view layout = {});

// Throws when the reply is none.
Verdict verdict_of(const RedisReply& reply, std::span<const Take> takes);

// Asks as a store does: EVALSHA, once the text is known there.
class Script {
 public:
  explicit Script(RedisServer& redis);
  RedisReply run(const Call& call);

 private:
  RedisServer& redis_;
};

}  // namespace tidegate::test
