// What a Redis store tells about itself while it runs, to whoever logs or counts it.
//
// Thread safety: members are called on the store's event loops, several at a time. They must not
// block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tidegate/base/expected.h"
#include "tidegate/base/time.h"

namespace tidegate {

struct RedisServerFacts {
  std::string name = {};     // redis, valkey
  std::string version = {};  // 7.0.15
  std::string mode = {};     // standalone, cluster, sentinel
  std::string role = {};     // master, replica
};

// Why a request was not answered from the store.
enum class StoreTrouble : std::uint8_t {
  kLate,     // it did not answer in time
  kAway,     // there is no connection, or it was lost
  kRefused,  // it answered with an error
  kCrowded,  // too many wait already
};

inline constexpr std::size_t kStoreTroubles = 4;

constexpr std::string_view name(StoreTrouble trouble) {
  constexpr std::string_view kNames[kStoreTroubles] = {"late", "away", "refused", "crowded"};
  return kNames[static_cast<std::size_t>(trouble)];
}

// The errors' `where` is the server's place (options.h).
class RedisEvents {
 public:
  virtual ~RedisEvents() = default;
  virtual void connected(const RedisServerFacts& /*server*/) {}
  virtual void connect_failed(const Error& /*why*/) {}  // it is tried again
  virtual void disconnected(const Error& /*why*/) {}
  // A request was answered by the store, so long after it was submitted; or was not. One call for
  // each.
  virtual void answered(Duration /*after*/) {}
  virtual void degraded(StoreTrouble /*trouble*/, const Error& /*why*/) {}
  // What a check at start-up found that will matter later.
  virtual void warned(const Error& /*problem*/) {}
};

}  // namespace tidegate
