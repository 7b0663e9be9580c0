#include "tidegate/store/memory/segment.h"

#include <cassert>

#include "tidegate/store/memory/work.h"

namespace tidegate::memory {

Entry& Segment::append(Arena& arena, Identity identity) {
  assert(!full());
  if (size_ % kEntriesPerBlock == 0) blocks_[size_ / kEntriesPerBlock] = arena.allocate(kBlockLines);
  tags_[size_] = tag(identity);
  Entry& added = entry(arena, size_);
  added.identity = identity;
  ++size_;
  return added;
}

void Segment::remove(Arena& arena, std::uint32_t i) {
  const std::uint32_t last = size_ - 1U;
  if (i != last) {
    entry(arena, i) = entry(arena, last);
    tags_[i] = tags_[last];
    ++work_of_this_thread.states_moved;
  }
  set_size(arena, last);
}

void Segment::divide(Arena& arena, Identity bit, Segment& other) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < size_; ++i) {
    const Entry& from = entry(arena, i);
    const bool leaves = (from.identity & bit) != 0;
    if (leaves) {
      other.append(arena, from.identity) = from;
    } else if (kept != i) {
      entry(arena, kept) = from;
      tags_[kept] = tags_[i];
    }
    work_of_this_thread.states_moved += leaves || kept != i;
    kept += !leaves;
  }
  set_size(arena, kept);
}

void Segment::absorb(Arena& arena, Segment& other) {
  assert(size_ + other.size_ <= kCapacity);
  for (std::uint32_t i = 0; i < other.size_; ++i) {
    const Entry& from = other.entry(arena, i);
    append(arena, from.identity) = from;
  }
  work_of_this_thread.states_moved += other.size_;
  other.set_size(arena, 0);
}

// Shrinks, and releases the blocks that hold no state any more.
void Segment::set_size(Arena& arena, std::uint32_t size) {
  const auto blocks = [](std::uint32_t n) { return (n + kEntriesPerBlock - 1) / kEntriesPerBlock; };
  for (std::uint32_t b = blocks(size); b < blocks(size_); ++b) arena.release(blocks_[b], kBlockLines);
  size_ = static_cast<std::uint8_t>(size);
}

}  // namespace tidegate::memory
