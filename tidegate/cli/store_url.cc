#include "tidegate/cli/store_url.h"

#include <utility>

#include "tidegate/store/redis/url.h"

namespace tidegate::cli {
namespace {

constexpr Duration kTimeout{std::chrono::seconds{1}};
constexpr Duration kConnectTimeout{std::chrono::seconds{3}};

}  // namespace

Expected<std::unique_ptr<BackgroundRedisStore>> open_store(const std::string& url,
                                                           const Clock& clock) {
  RedisOptions defaults;
  defaults.timeout = kTimeout;
  defaults.connect_timeout = kConnectTimeout;
  return parse_redis_url(url, defaults)
      .and_then([&](RedisOptions options) {
        options.on_store_error = OnStoreError::kError;
        return BackgroundRedisStore::open(options, {.clock = &clock});
      })
      .and_then([](auto store) {
        return store->wait_until_ready().map([&] { return std::move(store); });
      });
}

}  // namespace tidegate::cli
