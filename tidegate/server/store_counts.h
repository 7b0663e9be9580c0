// Counts what a Redis store tells about itself, and passes it on.
//
// Thread safety: every member may be called from any thread. Cost: two or three atomic additions.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tidegate/frontend/latency.h"
#include "tidegate/store/redis/events.h"

namespace tidegate::server {

class StoreCounts final : public RedisEvents {
 public:
  // `next` must outlive it.
  explicit StoreCounts(RedisEvents& next) : next_{next} {}

  void connected(const RedisServerFacts& server) override;
  void connect_failed(const Error& why) override;
  void disconnected(const Error& why) override;
  void answered(Duration after) override;
  void degraded(StoreTrouble trouble, const Error& why) override;
  void warned(const Error& problem) override { next_.warned(problem); }

  std::int64_t connections() const { return connections_.load(std::memory_order_relaxed); }
  std::uint64_t failed_connects() const { return failed_connects_.load(std::memory_order_relaxed); }
  std::uint64_t degraded(StoreTrouble trouble) const {
    return degraded_[static_cast<std::size_t>(trouble)].load(std::memory_order_relaxed);
  }
  frontend::Latency round_trips() const;

 private:
  using Count = std::atomic<std::uint64_t>;

  RedisEvents& next_;
  std::atomic<std::int64_t> connections_{0};  // ready now
  Count failed_connects_{0};
  std::array<Count, kStoreTroubles> degraded_{};
  std::array<Count, frontend::Latency::kBounds.size() + 1> round_trips_{};
  Count total_us_{0};
};

}  // namespace tidegate::server
