// A Redis store with an event loop of its own, on a thread of its own: for plain programs, whose
// calls block.
//
//   auto store = BackgroundRedisStore::open(*parse_redis_url("redis://10.1.2.3"));
//   Limiter limiter{**store};
//   limiter.take("user:42", "5/min"_limit)      // back within the URL's timeout, whatever happens
//
// Thread safety: every member may be called from any thread but the store's own; operations
// complete on that one. Cost: two changes of threads for each operation beside the round trip.
#pragma once

#include <memory>

#include "tidegate/store/redis/redis_store.h"

namespace tidegate {

class BackgroundRedisStore final : public Store {
 public:
  // Connects in the background; see RedisStore::open.
  static Expected<std::unique_ptr<BackgroundRedisStore>> open(const RedisOptions& options,
                                                              const RedisStore::Parts& parts);
  static Expected<std::unique_ptr<BackgroundRedisStore>> open(const RedisOptions& options) {
    return open(options, {});
  }
  ~BackgroundRedisStore() override;

  void submit(TakeOp& op) override { store_->submit(op); }
  void submit(GiveBackOp& op) override { store_->submit(op); }
  void submit(ResetOp& op) override { store_->submit(op); }

  // Waits for a first answer of the server; the error says why there is none.
  Expected<void> wait_until_ready();

  RedisStore& store() { return *store_; }

 private:
  struct Loop;
  BackgroundRedisStore();

  const Clock* clock_ = nullptr;
  std::unique_ptr<Loop> loop_;
  std::unique_ptr<RedisStore> store_;
};

}  // namespace tidegate
