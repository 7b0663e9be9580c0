// Where a server keeps the states of its limits: in this process, or in a Redis that others share.
//
// Beside a Redis there is a store of this process too, for the takes that are to be decided there
// while Redis is away. Thread safety: as the stores'; `start` and `stop` are for one thread.
#pragma once

#include <memory>

#include "tidegate/base/clock.h"
#include "tidegate/base/expected.h"
#include "tidegate/server/log.h"
#include "tidegate/server/settings.h"
#include "tidegate/server/store_counts.h"
#include "tidegate/server/store_log.h"
#include "tidegate/store/memory/memory_store.h"
#include "tidegate/store/memory/sweeper.h"
#include "tidegate/store/redis/redis_store.h"
#include "tidegate/store/store.h"

namespace tidegate::server {

class Stores {
 public:
  // Log and clock must outlive them.
  static Expected<std::unique_ptr<Stores>> open(const Settings& settings, const Clock& clock,
                                                Log& log);

  // The one that decides.
  Store& store() { return redis_ ? static_cast<Store&>(*redis_) : memory_; }
  const MemoryStore& memory() const { return memory_; }
  const RedisStore* redis() const { return redis_.get(); }  // null: there is none
  const StoreCounts& counts() const { return counts_; }     // of what Redis told

  // Connects, on these loops, which must outlive `stop`. What waits then is answered into them.
  void start(const RedisStore::Loops& loops);
  void stop();

  void say_what_they_are(const Settings& settings, Log& log) const;

 private:
  Stores(const Settings& settings, const Clock& clock, Log& log);

  StoreLog log_;
  StoreCounts counts_{log_};
  MemoryStore memory_;
  Sweeper sweeper_{memory_};
  std::unique_ptr<RedisStore> redis_;
};

}  // namespace tidegate::server
