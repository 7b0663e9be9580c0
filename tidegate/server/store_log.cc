#include "tidegate/server/store_log.h"

#include <utility>

namespace tidegate::server {
namespace {

constexpr Duration kBetween = std::chrono::seconds{10};

}  // namespace

void StoreLog::connected(const RedisServerFacts& server) {
  away_ = false;
  log_.info("store connected", {{"server", server.name},
                                {"version", server.version},
                                {"mode", server.mode},
                                {"role", server.role}});
}

void StoreLog::connect_failed(const Error& why) {
  if (!away_.exchange(true)) log_.warn("store away", {{"store", why.where}, {"why", why.what}});
}

void StoreLog::disconnected(const Error& why) {
  log_.warn("store disconnected", {{"store", why.where}, {"why", why.what}});
}

void StoreLog::degraded(StoreTrouble, const Error& why) {
  if (const std::uint64_t answers = due(); answers > 0)
    log_.warn("answered without the store", {{"answers", answers}, {"why", why.what}});
}

void StoreLog::warned(const Error& problem) {
  log_.warn("store unfit", {{"store", problem.where}, {"why", problem.what}});
}

std::uint64_t StoreLog::due() {
  const Time now = clock_.now();
  const SpinGuard guard{lock_};
  ++untold_;
  if (now < silent_until_) return 0;
  silent_until_ = now + kBetween;
  return std::exchange(untold_, 0);
}

}  // namespace tidegate::server
