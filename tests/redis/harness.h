// A Redis store for the conformance suite: over a server of the test's own, on a loop that the test
// turns, deciding at the test's time.
//
// Every harness has a prefix of its own, so that the states of tests do not meet. Thread safety:
// none. Cost: a connection.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tidegate/store/redis/redis_store.h"
#include "tidegate/store/redis/url.h"

namespace tidegate::test {

// From a URL that the test's environment has no say in.
inline RedisOptions redis_options(const std::string& url) {
  Expected<RedisOptions> options = parse_redis_url(url, {}, nullptr);
  if (!options) throw std::runtime_error{options.error().message()};
  return *std::move(options);
}

class RedisHarness final : public StoreHarness {
 public:
  explicit RedisHarness(RedisOptions options, Duration tick = Duration{1}) : tick_{tick} {
    static std::atomic<int> count{0};
    options.prefix = "test" + std::to_string(++count) + ":";
    options.timeout = std::chrono::seconds{10};
    options.connect_timeout = std::chrono::seconds{10};
    options.on_store_error = OnStoreError::kError;
    auto opened = RedisStore::open(options, {&loop_}, {.decide_by = &clock_});
    if (!opened) throw std::runtime_error{opened.error().message()};
    store_ = *std::move(opened);
  }

  Store& store() override { return *store_; }
  void set_now(Time now) override { clock_.set(now); }
  Duration tick() const override { return tick_; }
  void run() override {
    loop_.restart();
    while (store_->in_flight() > 0 && loop_.run_one() > 0) {
    }
  }

 private:
  ManualClock clock_;
  boost::asio::io_context loop_;
  std::unique_ptr<RedisStore> store_;
  Duration tick_;
};

}  // namespace tidegate::test
