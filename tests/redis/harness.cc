#include "tests/redis/harness.h"

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <stdexcept>
#include <utility>

#include "tidegate/store/redis/redis_store.h"
#include "tidegate/store/redis/url.h"

namespace tidegate::test {
namespace {

class RedisHarness final : public StoreHarness {
 public:
  explicit RedisHarness(RedisOptions options, Duration tick = Duration{1}) : tick_{tick} {
    static std::atomic<int> count{0};
    options.prefix = "test" + std::to_string(++count) + ":";
    options.timeout = std::chrono::seconds{10};
    options.connect_timeout = std::chrono::seconds{10};
    options.on_store_error = OnStoreError::kError;
    auto opened = RedisStore::open(options, {.decide_by = &clock_});
    if (!opened) throw std::runtime_error{opened.error().message()};
    store_ = *std::move(opened);
    store_->start({&loop_});
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

}  // namespace

RedisOptions redis_options(const std::string& url) {
  Expected<RedisOptions> options = parse_redis_url(url, {}, nullptr);
  if (!options) throw std::runtime_error{options.error().message()};
  return *std::move(options);
}

std::unique_ptr<StoreHarness> redis_harness(RedisOptions options, Duration tick) {
  return std::make_unique<RedisHarness>(std::move(options), tick);
}

}  // namespace tidegate::test
