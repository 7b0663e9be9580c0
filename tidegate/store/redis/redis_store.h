// Limits that many machines share: the same decisions as in memory, made in a Redis or Valkey by
// one script call each, in one round trip.
//
//   auto store = RedisStore::open(*parse_redis_url("redis://10.1.2.3"));
//   (*store)->start({&loop});       // a boost::asio::io_context
//   Limiter limiter{**store};
//
// It has one connection for each event loop, and an operation completes on the loop that submits
// it; from any other thread, on the first one. When Redis is away or late, the failover answers
// (store/failover.h): every operation completes by its deadline, and the store comes back by itself
// when Redis does. Blocking calls of a Limiter need the loop on another thread: see
// background_store.h. Thread safety: `start` and `stop` are called while no loop runs, or on the
// only one; every other member may be called from any thread. Cost: one script call of the server,
// some 20 us there; nothing is allocated for an operation once the buffers have grown.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tidegate/base/clock.h"
#include "tidegate/base/expected.h"
#include "tidegate/store/redis/events.h"
#include "tidegate/store/redis/options.h"
#include "tidegate/store/store.h"
#include "tidegate/wire/resp_reply.h"

namespace boost::asio {
class io_context;
}

namespace tidegate {

namespace redis {
class Client;
struct Shared;
}  // namespace redis

class RedisStore final : public Store {
 public:
  struct Parts {
    RedisEvents* events = nullptr;         // null: nobody is told
    const Clock* clock = &system_clock();  // what deadlines are told by
    const Clock* decide_by = nullptr;      // null: Redis' own; a test's clock otherwise
    bool check_server = false;             // once connected: see server_check.h
    Store* local = nullptr;                // decides OnStoreError::kLocal; answers at once
  };
  using Loops = std::vector<boost::asio::io_context*>;

  // An error is a certificate or key that cannot be read. The parts must outlive the store.
  static Expected<std::unique_ptr<RedisStore>> open(const RedisOptions& options,
                                                    const Parts& parts);
  static Expected<std::unique_ptr<RedisStore>> open(const RedisOptions& options) {
    return open(options, {});
  }
  ~RedisStore() override;

  // Connects, on every loop, in the background. Before this, nothing may be submitted.
  void start(const Loops& loops);

  // What has not completed is answered by the failover; nothing may be submitted any more. The
  // loops must outlive this.
  void stop();

  void submit(TakeOp& op) override;
  void submit(GiveBackOp& op) override;
  void submit(ResetOp& op) override;

  // A command of the caller's own; `done` is called on the loop, and the reply lives for the call.
  using OnReply = std::function<void(Expected<std::span<const resp::ReplyNode>> reply)>;
  void ask(std::vector<std::string> words, Time deadline, OnReply done);

  const RedisOptions& options() const;

  // Operations that have not completed.
  std::size_t in_flight() const;

 private:
  explicit RedisStore(std::shared_ptr<redis::Shared> shared);

  template <class Op>
  void submit_checked(Op& op);
  template <class Op>
  void hand_over(Op& op);
  redis::Client* here() const;

  std::shared_ptr<redis::Shared> shared_;
  std::vector<std::shared_ptr<redis::Client>> clients_;
};

}  // namespace tidegate
