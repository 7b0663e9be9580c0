#include "tidegate/server/store_counts.h"

namespace tidegate::server {
namespace {

void add(std::atomic<std::uint64_t>& count, std::uint64_t more = 1) {
  count.fetch_add(more, std::memory_order_relaxed);
}

}  // namespace

void StoreCounts::connected(const RedisServerFacts& server) {
  connections_.fetch_add(1, std::memory_order_relaxed);
  next_.connected(server);
}

void StoreCounts::connect_failed(const Error& why) {
  add(failed_connects_);
  next_.connect_failed(why);
}

void StoreCounts::disconnected(const Error& why) {
  connections_.fetch_sub(1, std::memory_order_relaxed);
  next_.disconnected(why);
}

void StoreCounts::answered(Duration after) {
  add(round_trips_[frontend::Latency::bucket(after)]);
  add(total_us_, static_cast<std::uint64_t>(std::max<std::int64_t>(after.count(), 0)));
  next_.answered(after);
}

void StoreCounts::degraded(StoreTrouble trouble, const Error& why) {
  add(degraded_[static_cast<std::size_t>(trouble)]);
  next_.degraded(trouble, why);
}

frontend::Latency StoreCounts::round_trips() const {
  frontend::Latency latency{.total_us = total_us_.load(std::memory_order_relaxed)};
  for (std::size_t i = 0; i < round_trips_.size(); ++i)
    latency.counts[i] = round_trips_[i].load(std::memory_order_relaxed);
  return latency;
}

}  // namespace tidegate::server
