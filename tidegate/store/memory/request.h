// One request of several takes, decided at one instant under all its locks.
//
// Locks are taken in the order of the shards, so that requests never wait for each other in a ring.
// Made and used on one thread's stack; allocates only if the verdict has never held so many takes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tidegate/base/clock.h"
#include "tidegate/store/memory/table.h"

namespace tidegate::memory {

class Request {
 public:
  // Requires an operation without problems.
  Request(Table& table, TakeOp& op);
  void decide(const Clock& clock);

 private:
  struct Slot {
    Identity identity;
    std::uint32_t shard;
    std::uint32_t leader;  // the first take of the same identity; it is decided for all of them
    Cost cost;             // the sum of their costs
  };

  template <class F>
  void for_each_leader(F&& f);

  void lock_shards();
  void unlock_shards();
  void judge_all(Time now);
  void write_all(Time now);
  void tidy_shards(Time now);
  Decision judge_one(std::size_t i, Time now, Cost cost);

  Table& table_;
  TakeOp& op_;
  std::size_t count_;
  std::array<Slot, kMaxTakes> slots_;
  std::array<std::uint32_t, kMaxTakes> shards_;  // to lock, in order
  std::array<std::uint32_t, kMaxTakes> splits_;  // of each, before anything was written
  std::size_t shard_count_ = 0;
  Time latest_{};                 // of the decisions made before in these shards
  std::uint64_t new_states_ = 0;  // places promised to takes of keys without one
};

}  // namespace tidegate::memory
