// Many calls in one: a trace goes to Redis packed, the script runs once for each call in it, and
// all answers come back packed. So a million decisions take a minute and not an hour.
//
// Thread safety: none. Cost: that of the script; the driver around it is the very same text.
#pragma once

#include <string>
#include <vector>

#include "tests/support/redis_server.h"
#include "tests/twins/calls.h"

namespace tidegate::test {

class TraceDriver {
 public:
  explicit TraceDriver(RedisServer& redis);
  // A reply for each call.
  std::vector<RedisReply> run(const std::vector<Call>& calls);

 private:
  RedisServer& redis_;
  std::string sha1_;
};

}  // namespace tidegate::test
