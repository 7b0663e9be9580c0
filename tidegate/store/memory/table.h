// The table of states: shards, the cap, sweeping, eviction. It knows where a state is and when it
// may go, and nothing of limits.
//
// Thread safety: members that take a Shard need its lock; the others may be called from any thread.
// Cost: find is three cache lines; insert is amortized O(1), and at the cap looks at one segment
// and at 8 states.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "tidegate/store/memory/arena.h"
#include "tidegate/store/memory/identity.h"
#include "tidegate/store/memory/memory_store.h"
#include "tidegate/store/memory/segment.h"
#include "tidegate/store/memory/shard.h"

namespace tidegate::memory {

// What a state costs at the cap, logs apart: an entry, its tag, and its share of segment, block and
// directory (measured: bench/RESULTS.md).
inline constexpr std::uint64_t kBytesPerState = 48;

class Table {
 public:
  explicit Table(const MemoryStoreOptions& options);
  ~Table();

  Identity identity(std::string_view key, Algorithm algorithm) const {
    return identifier_.of(key, algorithm);
  }
  std::uint32_t shard_index(Identity identity) const { return bits_.shard(identity); }
  Shard& shard(std::uint32_t index) const { return shards_[index]; }

  Segment& segment(const Shard& shard, Identity identity) const TIDEGATE_REQUIRES(shard.lock) {
    return shard.segment(arena_, bits_, identity);
  }

  // Null when the identity has no state in its segment. The algorithm is compared too: were two
  // identities of different algorithms to meet, neither may be read as the other.
  Entry* find(const Segment& segment, Identity identity, Algorithm algorithm) const {
    const std::uint32_t i = segment.find(arena_, identity);
    if (i == segment.size()) return nullptr;
    Entry& entry = segment.entry(arena_, i);
    return entry.algorithm() == algorithm ? &entry : nullptr;
  }
  Entry* find(const Shard& shard, Identity identity, Algorithm algorithm) const
      TIDEGATE_REQUIRES(shard.lock) {
    return find(segment(shard, identity), identity, algorithm);
  }

  // A hint to the processor: the entry that is likely the identity's.
  void prefetch_state(const Segment& segment, Identity identity) const;

  // Adds an entry, whose state the caller makes and describes at once. At the cap another state
  // goes first. Null when none may, see has_room; but a place that was promised is always given.
  enum class Place { kIfRoom, kPromised };
  Entry* insert(Shard& shard, Identity identity, Time now, Place place)
      TIDEGATE_REQUIRES(shard.lock);

  // Whether one more state than these may come. A table that denies new ones when it is full looks
  // for neutral states in one segment first.
  bool has_room(Shard& shard, std::uint64_t promised, Time now) TIDEGATE_REQUIRES(shard.lock);

  // Forgets a state. False when there was none.
  bool erase(Shard& shard, Identity identity) TIDEGATE_REQUIRES(shard.lock);

  // To be told of each charge of a state with a log; at the cap others go for it, two at a time.
  void log_resized(Shard& shard, Identity identity, Time now, std::size_t before, std::size_t after)
      TIDEGATE_REQUIRES(shard.lock);

  // After each call that may have written. Looks at one segment when that is due, so that each is
  // looked at once in a sweep interval; not when the call has split one already, since no call is
  // to move more than 64 states.
  void tidy(Shard& shard, std::uint32_t splits_before, Time now) TIDEGATE_REQUIRES(shard.lock) {
    if (shard.splits != splits_before) [[unlikely]]
      return schedule_sweep(shard, now);
    if (now >= shard.next_sweep) [[unlikely]]
      sweep_step(shard, now);
  }
  // Looks at some segments of the whole table; returns how many states it forgot.
  std::size_t sweep(std::size_t segments, Time now);

  void ready_memory() { arena_.ready_ahead(); }

  void count_denied_full() { denied_full_.fetch_add(1, std::memory_order_relaxed); }
  MemoryStoreCounters counters() const;

 private:
  using Counter = std::atomic<std::uint64_t>;

  bool over_cap(std::uint64_t keys) const;
  void schedule_sweep(Shard& shard, Time now) const TIDEGATE_REQUIRES(shard.lock);
  std::size_t sweep_step(Shard& shard, Time now) TIDEGATE_REQUIRES(shard.lock);
  std::size_t drop_neutral(Segment& segment, Time now);
  void drop(Segment& segment, std::uint32_t i);
  bool free_one(Shard& shard, Identity keep, Time now, bool may_sweep)
      TIDEGATE_REQUIRES(shard.lock);
  bool free_one_elsewhere(const Shard& shard, Identity keep, Time now)
      TIDEGATE_REQUIRES(shard.lock);
  bool evict(Shard& shard, Identity keep, Time now) TIDEGATE_REQUIRES(shard.lock);
  bool evict_from_any(Shard& shard, Identity keep, Time now) TIDEGATE_REQUIRES(shard.lock);

  const MemoryStoreOptions options_;
  const ShardBits bits_;
  const Identifier identifier_;
  Arena arena_;
  std::unique_ptr<Shard[]> shards_;

  Counter keys_{0};       // states, and inserts under way
  Counter log_bytes_{0};  // of sliding_window
  Counter swept_{0};
  Counter evicted_{0};
  Counter erased_{0};
  Counter denied_full_{0};
  Counter sweep_shard_{0};  // where `sweep` goes on
};

}  // namespace tidegate::memory
