#include "tests/support/conformance.h"

#include <memory>

#include "tests/redis/harness.h"

namespace tidegate::test {
namespace {

// One server for all tests of the program; it ends with it.
RedisServer& server() {
  static RedisServer server;
  return server;
}

TIDEGATE_STORE_CONFORMS(Redis, [] {
  return std::make_unique<RedisHarness>(redis_options(server().url()));
});

}  // namespace
}  // namespace tidegate::test
