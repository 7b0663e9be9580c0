// A thread that keeps the table in order: it forgets neutral states where no takes come, so that
// idle keys leave on time, and readies memory ahead of growth, so that takes need not.
//
//   MemoryStore store;
//   Sweeper sweeper{store, 10s};    // until it is destroyed, each state is looked at once in 10 s
//
// Thread safety: it is on its own; the store may be used as ever, and must outlive it. Cost: one
// short lock a segment, in steps of a hundredth of a second.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "tidegate/base/time.h"

namespace tidegate {

class MemoryStore;

class Sweeper {
 public:
  explicit Sweeper(MemoryStore& store, Duration interval = std::chrono::seconds{10});
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;

 private:
  void run(const std::stop_token& stop);

  MemoryStore& store_;
  const Duration interval_;
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::jthread thread_;  // last: it stops, and is joined, before the rest goes
};

}  // namespace tidegate
