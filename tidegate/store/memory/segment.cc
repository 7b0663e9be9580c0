#include "tidegate/store/memory/segment.h"

#include <cassert>

#include "tidegate/store/memory/work.h"

namespace tidegate::memory {

Entry& Segment::append(Arena& arena, Identity identity) {
  assert(!full());
  if (size_ % kEntriesPerBlock == 0)
    blocks_[size_ / kEntriesPerBlock] = arena.allocate(kBlockLines);
  tags_[size_] = tag(identity);
  Entry& added = entry(arena, size_);
  added.identity = identity;
  ++size_;
  return added;
}

void Segment::remove(Arena& arena, std::uint32_t i) {
  const std::uint32_t last = size_ - 1U;
  if (i != last) move_within(arena, last, i);
  set_size(arena, last);
}

// A hole is filled from the end, so that each state moves at most once, and of those that stay only
// as many as there are holes.
void Segment::divide(Arena& arena, Identity bit, Segment& other) {
  const auto leaves = [&](std::uint32_t i) { return (entry(arena, i).identity & bit) != 0; };
  const auto leave = [&](std::uint32_t i) {
    other.append(arena, entry(arena, i).identity) = entry(arena, i);
    ++work_of_this_thread.states_moved;
  };
  std::uint32_t end = size_;
  for (std::uint32_t i = 0; i < end; ++i) {
    if (!leaves(i)) continue;
    leave(i);
    while (--end > i && leaves(end)) leave(end);
    if (end > i) move_within(arena, end, i);
  }
  set_size(arena, end);
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

void Segment::move_within(Arena& arena, std::uint32_t from, std::uint32_t to) {
  entry(arena, to) = entry(arena, from);
  tags_[to] = tags_[from];
  ++work_of_this_thread.states_moved;
}

// Shrinks, and releases the blocks that hold no state any more.
void Segment::set_size(Arena& arena, std::uint32_t size) {
  const auto blocks = [](std::uint32_t n) { return (n + kEntriesPerBlock - 1) / kEntriesPerBlock; };
  for (std::uint32_t b = blocks(size); b < blocks(size_); ++b)
    arena.release(blocks_[b], kBlockLines);
  size_ = static_cast<std::uint8_t>(size);
}

}  // namespace tidegate::memory
