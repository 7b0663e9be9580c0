// Memory for one table, in lines of 64 bytes that are named by 32-bit numbers.
//
// Address space is reserved at construction and touched as it is needed, so nothing is ever mapped,
// moved or zeroed in bulk. What is released is kept for blocks of the same size. A thread with time
// to spare may ready the next memory in huge pages, which spares takes the page fault now and most
// of the address translation later. Thread safety: allocate and release may be called from any
// thread; `at` needs no lock. Cost: allocate and release are O(1) under one lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tidegate/base/spin_lock.h"

namespace tidegate::memory {

using Line = std::uint32_t;
inline constexpr std::size_t kLineBytes = 64;
inline constexpr Line kNoLine = 0;

class Arena {
 public:
  Arena();  // throws std::bad_alloc when no address space is to be had
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Lines are not zeroed, but the first `kZeroLines` of the arena are, for good.
  Line allocate(std::uint32_t lines);
  void release(Line first, std::uint32_t lines);

  template <class T>
  T* at(Line line) const {
    return reinterpret_cast<T*>(base_ + std::size_t{line} * kLineBytes);
  }

  // Readies memory ahead of need: some when nothing is in use yet, then as much as growth is worth.
  void ready_ahead();

  std::uint64_t bytes_in_use() const;

 private:
  // Free lists by size: of 5 lines (blocks of states) and of each power of two.
  static constexpr std::size_t kSizes = 34;
  static constexpr Line kZeroLines = 2;

  static std::size_t size_class(std::uint32_t lines);
  // Huge pages in [page, end), offsets; returns the first one beyond.
  std::uint64_t ready_pages(std::uint64_t page, std::uint64_t end) const;

  void* mapping_ = nullptr;
  std::byte* base_ = nullptr;  // at a huge page's edge
  std::uint64_t reserved_ = 0;
  std::atomic<std::uint64_t> ready_{0};  // offset up to which memory has been readied
  mutable SpinLock lock_;
  std::array<Line, kSizes> free_ TIDEGATE_GUARDED_BY(lock_){};
  std::uint64_t next_ TIDEGATE_GUARDED_BY(lock_) = kZeroLines;
  std::uint64_t in_use_ TIDEGATE_GUARDED_BY(lock_) = 0;
};

}  // namespace tidegate::memory
