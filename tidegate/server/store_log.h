// What a Redis store tells about itself, as lines of the log.
//
// A store that is away is told of once, until it is back; answers given without it are counted, and
// told of at most once in ten seconds. Thread safety: as the log. Cost of an answer without the
// store: a lock and a clock reading.
#pragma once

#include <atomic>
#include <cstdint>

#include "tidegate/base/clock.h"
#include "tidegate/base/spin_lock.h"
#include "tidegate/server/log.h"
#include "tidegate/store/redis/events.h"

namespace tidegate::server {

class StoreLog final : public RedisEvents {
 public:
  // Both must outlive it.
  StoreLog(Log& log, const Clock& clock) : log_{log}, clock_{clock} {}

  void connected(const RedisServerFacts& server) override;
  void connect_failed(const Error& why) override;
  void disconnected(const Error& why) override;
  void degraded(StoreTrouble trouble, const Error& why) override;
  void warned(const Error& problem) override;

 private:
  // How many answers a line is to tell of; none when it is too early for a line.
  std::uint64_t due();

  Log& log_;
  const Clock& clock_;
  std::atomic<bool> away_{false};
  SpinLock lock_;
  Time silent_until_ TIDEGATE_GUARDED_BY(lock_) = Time{};
  std::uint64_t untold_ TIDEGATE_GUARDED_BY(lock_) = 0;
};

}  // namespace tidegate::server
