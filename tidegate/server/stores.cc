#include "tidegate/server/stores.h"

#include <utility>

#include "tidegate/store/redis/url.h"

namespace tidegate::server {
namespace {

std::string_view word(OnStoreError policy) {
  constexpr std::string_view kWords[] = {"", "allow", "deny", "error", "local"};
  return kWords[static_cast<std::size_t>(policy)];
}

}  // namespace

Stores::Stores(const Settings& settings, const Clock& clock, Log& log)
    : log_{log, clock},
      memory_{{.max_memory = settings.max_memory, .on_full = settings.on_full}, clock} {}

Expected<std::unique_ptr<Stores>> Stores::open(const Settings& settings, const Clock& clock,
                                               Log& log) {
  std::unique_ptr<Stores> stores{new Stores{settings, clock, log}};
  if (settings.store.empty()) return stores;
  RedisOptions defaults;
  defaults.timeout = settings.store_timeout;
  defaults.on_store_error = settings.on_store_error;
  const auto options = parse_redis_url(settings.store, defaults);
  if (!options) return tl::unexpected{options.error()};
  auto redis = RedisStore::open(*options, {.events = &stores->counts_,
                                           .clock = &clock,
                                           .check_server = true,
                                           .local = &stores->memory_});
  if (!redis) return tl::unexpected{std::move(redis).error()};
  stores->redis_ = *std::move(redis);
  return stores;
}

void Stores::start(const RedisStore::Loops& loops) {
  if (redis_) redis_->start(loops);
}

void Stores::stop() {
  if (redis_) redis_->stop();
}

void Stores::say_what_they_are(const Settings& settings, Log& log) const {
  if (redis_) {
    log.info("counters shared", {{"store", place(redis_->options())},
                                 {"timeout", in_words(redis_->options().timeout)},
                                 {"without_it", word(redis_->options().on_store_error)}});
  } else {
    log.info("counters in this process alone, until it ends",
             {{"max_memory", settings.max_memory},
              {"on_full", settings.on_full == OnFull::kEvict ? "evict" : "deny_new"}});
  }
}

}  // namespace tidegate::server
