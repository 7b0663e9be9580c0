// What the RESP connections of a server share: the store, the options, the counts that INFO tells.
//
//   RespService service{store, clock, {.password = "..."}};
//   RespLoop loop{service, rules};               // one for each event loop, and its RuleLoop
//   loop.connect("10.1.2.3:4567")                // a Conversation for each connection
//
// Thread safety: a RespService may be used from any thread; a RespLoop and its conversations belong
// to one event loop, and the loop outlives them. Cost of a count: a load and a store, no lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/algorithm/decision.h"
#include "tidegate/base/clock.h"
#include "tidegate/base/conversation.h"
#include "tidegate/frontend/latency.h"
#include "tidegate/frontend/loop_count.h"
#include "tidegate/frontend/loop_sums.h"
#include "tidegate/frontend/on_decision.h"
#include "tidegate/frontend/resp/limit_cache.h"
#include "tidegate/frontend/resp/take_batch.h"
#include "tidegate/store/memory/memory_store.h"
#include "tidegate/store/store.h"
#include "tidegate/wire/resp_request.h"

namespace tidegate::frontend {

struct RespOptions {
  std::string version = {};   // of tidegate
  std::string password = {};  // what AUTH wants; empty: nothing
  Charge charge = Charge::kAllOrNothing;
  resp::RequestBounds bounds = {};
  std::size_t max_outstanding = 1024;                // requests whose answers are still to come
  std::size_t max_output = std::size_t{256} * 1024;  // unsent bytes above which input waits
  Duration store_timeout{0};                         // how long a store may take; 0: for ever
  OnDecision on_decision = nullptr;                  // is called on the connection's loop
};

// Counts of one loop, or the sums of all.
struct RespCounts {
  std::uint64_t connections = 0;  // open now
  std::uint64_t connected = 0;    // since the start
  std::uint64_t commands = 0;
  std::uint64_t errors = 0;  // replies that begin with an error's code
  std::uint64_t allowed = 0;
  std::uint64_t denied = 0;
  Latency latency{};  // of takes, give backs and resets

  RespCounts& operator+=(const RespCounts& more);
};

class RespLoop;
class RuleLoop;

class RespService {
 public:
  // The store completes its operations on the loop of the connection. All must outlive the service.
  RespService(Store& store, const Clock& clock, RespOptions options);

  Store& store() const { return store_; }
  MemoryStore* memory() const { return memory_; }  // the store, when it answers at once
  const Clock& clock() const { return clock_; }
  const RespOptions& options() const { return options_; }
  Time started() const { return started_; }

  std::uint64_t next_client() { return clients_.fetch_add(1, std::memory_order_relaxed) + 1; }
  RespCounts counts() const;

 private:
  friend class RespLoop;

  Store& store_;
  MemoryStore* const memory_;
  const Clock& clock_;
  const RespOptions options_;
  const Time started_;
  std::atomic<std::uint64_t> clients_{0};
  LoopSums<RespLoop, RespCounts> loops_;
};

class RespLoop {
 public:
  RespLoop(RespService& service, RuleLoop& rules);
  ~RespLoop();
  RespLoop(const RespLoop&) = delete;
  RespLoop& operator=(const RespLoop&) = delete;

  std::unique_ptr<Conversation> connect(std::string peer);

  RespService& service() const { return service_; }
  RespCounts counts() const;
  void count(std::string_view key, const Limit& limit, const Decision& decision);

  RuleLoop& rules;
  LimitCache limits;
  TakeBatch batch;  // of the conversation that is being fed
  LoopCount connected;
  LoopCount disconnected;
  LoopCount commands;
  LoopCount errors;
  LatencyCount latency;

 private:
  RespService& service_;
  LoopCount allowed_;
  LoopCount denied_;
};

}  // namespace tidegate::frontend
