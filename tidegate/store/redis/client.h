// A Redis as one event loop sees it: operations go in, and each completes exactly once, answered by
// the script or, when that cannot be had in time, by the failover.
//
// One connection, pipelined. Until it is first ready, and once after it was lost, operations wait
// for it, each no longer than its deadline; after an attempt has failed they are answered at once.
// An operation whose reply was lost is never sent again: it may have been counted. One timer
// watches all deadlines. Thread safety: `hand_over` may be called from any thread, the rest on the
// loop. Cost: an operation is some words appended to what this turn of the loop sends; nothing is
// allocated once the buffers have grown.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "tidegate/base/spin_lock.h"
#include "tidegate/base/thread_annotations.h"
#include "tidegate/store/failover.h"
#include "tidegate/store/redis/backoff.h"
#include "tidegate/store/redis/connection.h"
#include "tidegate/store/redis/fifo.h"
#include "tidegate/store/redis/redis_store.h"

namespace tidegate::redis {

// What the clients of a store share.
struct Shared {
  Shared(RedisOptions given, const RedisStore::Parts& with,
         std::shared_ptr<asio::ssl::context> context)
      : options{std::move(given)}, parts{with}, tls{std::move(context)} {}

  const RedisOptions options;
  const RedisStore::Parts parts;
  const std::shared_ptr<asio::ssl::context> tls;
  const Failover failover{{options.on_store_error, parts.local}, *parts.clock};
  const Names names{options};
  RedisEvents nobody = {};  // is told when there are no events
  std::atomic<bool> checked{!parts.check_server};

  const Clock& clock() const { return *parts.clock; }
  RedisEvents& events() { return parts.events == nullptr ? nobody : *parts.events; }
};

// A request beside takes, give backs and resets.
struct Question {
  std::string request;
  Time deadline = kEndOfTime;
  RedisStore::OnReply done;
};

using Call =
    std::variant<std::monostate, TakeOp*, GiveBackOp*, ResetOp*, std::unique_ptr<Question>>;

class Client final : public std::enable_shared_from_this<Client>, private Connection::Owner {
 public:
  Client(asio::io_context& loop, std::shared_ptr<Shared> shared);

  // Connects, and goes on doing so until it is closed. What waits then is answered.
  void start();
  void close();

  bool on_this_thread() const { return loop_.get_executor().running_in_this_thread(); }
  void submit(Call call);
  void hand_over(Call call);

  // Operations that have not completed.
  std::size_t in_flight() const { return in_flight_.load(std::memory_order_relaxed); }

 private:
  enum class State { kConnecting, kReady, kAway, kClosed };

  struct Slot {
    Call call;  // empty once it was answered without the reply
    Time since{};
    Time deadline{};
    std::uint64_t serial = 0;  // of its last sending
    int sendings = 0;
  };

  void on_ready(const RedisServerFacts& server) override;
  void on_reply(Nodes reply) override;
  void on_closed(const std::string& why) override;

  void check(const RedisServerFacts& server);
  void admit(Call call);
  void connect();
  void connect_later();
  void drop(const std::string& why);

  void send(Slot slot, By by);
  void send_again(Slot slot);
  void on_error(Slot slot, std::string_view text);
  void answer(Call call, Nodes reply);
  void refuse(Call call, const Error& why);
  void fail(Call call, StoreTrouble trouble, const Error& why);
  void fail_all(Fifo<Slot>& slots, const Error& why);
  Time deadline_of(const Call& call, Time now) const;

  void take_inbox();
  void watch(Time deadline);
  void on_timer();
  Time expire(Fifo<Slot>& slots, Time now);
  Error at_server(const std::string& why) const;

  asio::io_context& loop_;
  const std::shared_ptr<Shared> shared_;
  State state_ = State::kConnecting;
  Error away_because_;
  Backoff backoff_;
  std::shared_ptr<Connection> connection_;
  ScriptCalls calls_;
  Fifo<Slot> unsent_;  // until the connection is ready
  Fifo<Slot> sent_;    // in the order of their replies
  std::uint64_t serial_ = 0;
  std::uint64_t text_serial_ = 0;  // of the last sending of the whole script
  Time heard_{};                   // a reply came, or the first request without one left
  asio::steady_timer reconnect_;
  asio::steady_timer deadlines_;
  Time watched_ = kEndOfTime;  // when that timer goes off
  std::atomic<std::size_t> in_flight_{0};

  SpinLock lock_;
  std::vector<Call> inbox_ TIDEGATE_GUARDED_BY(lock_);
};

}  // namespace tidegate::redis
