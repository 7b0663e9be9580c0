// States in this process: a table that grows one small segment at a time.
//
//   MemoryStore store;                                             // no cap
//   MemoryStore store{{.max_memory = 1 << 30}};                    // then the least to forgive
//   leaves if (store.take("user:42", "5/min"_limit).allowed) ...
//
// Thread safety: every member may be called from any thread; takes of different keys rarely wait
// for each other. Each decision is made under the lock of its key, which is also when the clock is
// read. Cost: a take of one key is a hash, a lock and three or four cache lines; it allocates only
// for sliding_window. 45 to 50 bytes a key, whatever the key's length, plus 8 a hit for
// sliding_window. No call moves more than 64 states, and none zeroes, maps or frees more than 64
// KiB.
//
// Keys are not kept: identity is a 64-bit keyed hash under a secret of this process (the odds of
// any collision among 10^8 keys are 3 in 10,000; two keys would share a limit).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "tidegate/base/clock.h"
#include "tidegate/store/store.h"

namespace tidegate {

namespace memory {
class Table;
}

enum class OnFull : std::uint8_t {
  kEvict,    // forget the least to forgive of 8 states looked at
  kDenyNew,  // deny takes of keys that have no state; such verdicts are `degraded`
};

struct MemoryStoreOptions {
  std::uint64_t max_keys = 0;    // states at most; 0: no cap
  std::uint64_t max_memory = 0;  // bytes at most, at 48 a state and the logs; 0: no cap
  OnFull on_full = OnFull::kEvict;
  Duration sweep_interval = std::chrono::seconds{10};  // each state is looked at once in so long
};

// What the table did since it was made, and what it holds now.
struct MemoryStoreCounters {
  std::uint64_t keys = 0;   // states now
  std::uint64_t bytes = 0;  // memory in use now, logs included
  std::uint64_t inserted = 0;
  std::uint64_t swept = 0;        // neutral states forgotten
  std::uint64_t evicted = 0;      // states forgotten at the cap
  std::uint64_t erased = 0;       // states reset, or given back to neutral
  std::uint64_t denied_full = 0;  // takes denied because the table was full
  std::uint64_t segments = 0;     // now
  std::uint64_t splits = 0;
  std::uint64_t merges = 0;
};

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(const MemoryStoreOptions& options = {}, const Clock& clock = system_clock());
  ~MemoryStore() override;
  MemoryStore(const MemoryStore&) = delete;
  MemoryStore& operator=(const MemoryStore&) = delete;

  // The direct calls. They require a key of at most kMaxKeyBytes and cost >= 0.
  Decision take(std::string_view key, const Limit& limit, Cost cost = 1);
  Decision check(std::string_view key, const Limit& limit, Cost cost = 1) const;
  void give_back(std::string_view key, const Limit& limit, Cost cost, std::optional<Time> at);
  void reset(std::string_view key);

  // Independent takes, each decided as by `take`, in order; the memory of all is fetched at once.
  // Roles are ignored. Requires as many decisions as takes.
  void take_batch(std::span<const Take> takes, std::span<Decision> decisions);

  // Looks at the states of some segments and forgets the neutral ones; returns how many. Takes do a
  // little of it themselves; a timer (see sweeper.h) does it where no takes come.
  std::size_t sweep(std::size_t segments);

  // Readies memory ahead of growth. For a thread that is not deciding; see sweeper.h.
  void ready_memory();

  MemoryStoreCounters counters() const;

  void submit(TakeOp& op) override;
  void submit(GiveBackOp& op) override;
  void submit(ResetOp& op) override;

 private:
  std::unique_ptr<memory::Table> table_;
  const Clock& clock_;
};

}  // namespace tidegate
