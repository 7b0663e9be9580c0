// A log of admitted hits, oldest first: runs of a time and a count, in a ring that grows by a
// quarter.
//
// 24 bytes, plus 8 a run; 16 a run once a run holds more than 2047 hits (after which it stays so
// until empty). A value: copies are deep. Thread safety: as an int. Cost: every access is O(1);
// push is amortized O(1) and allocates when full; `erase` and `replace` are O(runs).
//
// Invariants
//   1. Times never decrease from run to run, and every count is at least 1.
//   2. used() is the sum of all counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tidegate/base/time.h"

namespace tidegate {

struct Run {
  Time at;  // of the newest hit in it
  std::uint32_t count;

  bool operator==(const Run&) const = default;
};

class RunLog {
 public:
  RunLog() = default;
  RunLog(const RunLog& other);
  RunLog(RunLog&& other) noexcept;
  RunLog& operator=(RunLog other) noexcept;
  ~RunLog();

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::uint32_t used() const { return used_; }
  Run operator[](std::size_t i) const { return load(slot(i)); }
  Run front() const { return (*this)[0]; }
  Run back() const { return (*this)[size_ - 1]; }

  // Room for at most `most` runs is ever kept ready ahead of need.
  void push_back(Run run, std::size_t most);
  void set_back(Run run) { set(size_ - 1, run); }
  void set(std::size_t i, Run run);
  void pop_front(std::size_t runs);
  void pop_back(std::size_t runs);
  void erase(std::size_t i);
  // Gives memory back: all of it without runs, half of it below a quarter. The others never do, so
  // that a pop and a push do not free and allocate.
  void trim();

  std::size_t bytes() const { return capacity() * cell_size(); }

  friend bool operator==(const RunLog& a, const RunLog& b);

 private:
  // One cell: 53 bits of time and 11 of count. Two cells: a time and a count.
  static constexpr int kCountBits = 11;
  static constexpr std::uint32_t kMaxNarrow = (1U << kCountBits) - 1;
  static constexpr std::uint32_t kWide = 1U << 31;

  bool wide() const { return (shape_ & kWide) != 0; }
  std::size_t capacity() const { return shape_ & ~kWide; }
  std::size_t cell_size() const { return wide() ? 16 : 8; }

  std::size_t slot(std::size_t i) const {
    const std::size_t at = head_ + i;
    return at < capacity() ? at : at - capacity();
  }
  Run load(std::size_t slot) const {
    if (!wide()) {
      const std::uint64_t cell = cells_[slot];
      return {Time{Duration{static_cast<std::int64_t>(cell >> kCountBits)}},
              static_cast<std::uint32_t>(cell & kMaxNarrow)};
    }
    return {Time{Duration{static_cast<std::int64_t>(cells_[2 * slot])}},
            static_cast<std::uint32_t>(cells_[2 * slot + 1])};
  }
  void save(std::size_t slot, Run run);
  void widen_for(Run run);
  void reshape(std::size_t capacity, bool wide);

  std::uint64_t* cells_ = nullptr;
  std::uint32_t head_ = 0;
  std::uint32_t size_ = 0;
  std::uint32_t shape_ = 0;  // capacity in runs; the top bit says wide
  std::uint32_t used_ = 0;
};

}  // namespace tidegate
