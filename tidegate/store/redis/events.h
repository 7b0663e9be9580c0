// What a Redis store tells about itself while it runs, to whoever logs or counts it.
//
// Thread safety: members are called on the store's event loops, several at a time. They must not
// block.
#pragma once

#include <string>

#include "tidegate/base/expected.h"

namespace tidegate {

struct RedisServerFacts {
  std::string name = {};     // redis, valkey
  std::string version = {};  // 7.0.15
  std::string mode = {};     // standalone, cluster, sentinel
  std::string role = {};     // master, replica
};

// The errors' `where` is the server's place (options.h).
class RedisEvents {
 public:
  virtual ~RedisEvents() = default;
  virtual void connected(const RedisServerFacts& /*server*/) {}
  virtual void connect_failed(const Error& /*why*/) {}  // it is tried again
  virtual void disconnected(const Error& /*why*/) {}
  // A request was not answered from the store: too late, lost, or refused. One call for each.
  virtual void degraded(const Error& /*why*/) {}
  // What a check at start-up found that will matter later.
  virtual void warned(const Error& /*problem*/) {}
};

}  // namespace tidegate
