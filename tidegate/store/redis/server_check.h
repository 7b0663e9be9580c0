// What is asked of a server once, when it is first connected: things that work today and fail
// later.
//
// A version below 6.2; a node of a cluster; a maxmemory-policy under which it forgets keys, and so
// forgives clients; commands that the user may not use. What is found goes to the events. The
// script is tried with a key of its own, which is removed again. Thread safety: on the client's
// loop. Cost: three requests.
#pragma once

#include <memory>

#include "tidegate/store/redis/events.h"

namespace tidegate::redis {

class Client;
struct Shared;

void check_server(Client& client, const std::shared_ptr<Shared>& shared,
                  const RedisServerFacts& server);

}  // namespace tidegate::redis
