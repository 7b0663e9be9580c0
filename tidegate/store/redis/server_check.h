// What is asked of a server once, when it is first connected: things that work today and fail
// later.
//
// A version below 6.2; a node of a cluster; a maxmemory-policy under which it forgets keys, and so
// forgives clients; commands that the user may not use. What is found goes to the events. The
// script is tried with a key of its own, which is removed again. Thread safety: on the client's
// loop. Cost: three requests.
#pragma once

#include <functional>
#include <string>

#include "tidegate/store/redis/events.h"
#include "tidegate/store/redis/names.h"
#include "tidegate/store/redis/redis_store.h"

namespace tidegate::redis {

struct ServerCheck {
  const Names& names;
  const Clock* decide_by;
  std::function<void(std::string request, RedisStore::OnReply done)> ask;
  std::function<void(std::string what)> warn;

  // Returns at once; the replies come to copies of this.
  void start(const RedisServerFacts& server) const;

 private:
  void look_at(const RedisServerFacts& server) const;
  void look_at_memory() const;
  void try_script() const;
};

}  // namespace tidegate::redis
