// A count that one event loop alone changes, and that any thread may read.
//
// Cost: a load and a store, no lock and no locked instruction.
#pragma once

#include <atomic>
#include <cstdint>

namespace tidegate::frontend {

class LoopCount {
 public:
  void add(std::uint64_t more) {
    value_.store(value_.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

}  // namespace tidegate::frontend
