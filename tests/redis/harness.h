// A Redis store for the conformance suite: over a server of the test's own, on a loop that the test
// turns, deciding at the test's time.
//
// Every harness has a prefix of its own, so that the states of tests do not meet. Thread safety:
// none. Cost: a connection.
#pragma once

#include <memory>
#include <string>

#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tidegate/store/redis/options.h"

namespace tidegate::test {

// From a URL that the test's environment has no say in.
RedisOptions redis_options(const std::string& url);

std::unique_ptr<StoreHarness> redis_harness(RedisOptions options, Duration tick = Duration{1});

}  // namespace tidegate::test
