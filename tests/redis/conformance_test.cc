#include "tests/support/conformance.h"

#include <memory>

#include "tests/redis/harness.h"
#include "tests/support/certificates.h"

namespace tidegate::test {
namespace {

// One server of each kind for all tests of the program; they end with it.
RedisServer& plain_server() {
  static RedisServer server;
  return server;
}

// TLS with certificates on both sides, and a user with no more rights than are needed.
class GuardedServer {
 public:
  GuardedServer() : server_{options()} {}

  RedisOptions client_options() const {
    return redis_options("rediss://ann:sesame@127.0.0.1:" + std::to_string(server_.port()) +
                         "?ca=" + certificates_.ca() + "&cert=" + pair_.cert + "&key=" + pair_.key);
  }

 private:
  RedisServer::Options options() const {
    return {.settings = {"user default off",
                         "user ann on >sesame ~test* +@read +@write +hello "
                         "+eval +evalsha +time"},
            .tls = true,
            .certificate = pair_.cert,
            .key = pair_.key,
            .client_ca = certificates_.ca()};
  }

  const Certificates certificates_;
  const Certificates::Pair pair_ = certificates_.make("both", "redis.test", "127.0.0.1");
  RedisServer server_;
};

const GuardedServer& guarded_server() {
  static const GuardedServer server;
  return server;
}

std::unique_ptr<StoreHarness> with_layouts(std::string_view layouts) {
  const std::string url = plain_server().url() + "?layout=" + std::string{layouts};
  return redis_harness(redis_options(url), std::chrono::milliseconds{1});
}

TIDEGATE_STORE_CONFORMS(Redis, [] { return redis_harness(redis_options(plain_server().url())); });
TIDEGATE_STORE_CONFORMS(RedisOverTls,
                        [] { return redis_harness(guarded_server().client_options()); });
TIDEGATE_STORE_CONFORMS(RedisZset, [] { return with_layouts("zset"); });
TIDEGATE_STORE_CONFORMS(RedisList, [] { return with_layouts("list"); });

}  // namespace
}  // namespace tidegate::test
