#include "tidegate/store/memory/shard.h"

#include <algorithm>
#include <cstring>

#include "tidegate/store/memory/work.h"

namespace tidegate::memory {
namespace {

// Two buddies merge at or below this many states together: far enough from 64 not to split at once.
constexpr std::uint32_t kSparse = 24;

std::uint32_t directory_lines(std::uint32_t entries) {
  constexpr std::uint32_t kPerLine = kLineBytes / sizeof(Line);
  return std::max(1U, entries / kPerLine);
}

Line* new_directory(Arena& arena, std::uint32_t entries) {
  work_of_this_thread.bytes_zeroed += entries * sizeof(Line);
  return arena.at<Line>(arena.allocate(directory_lines(entries)));
}

Line line_of(const Arena& arena, const void* memory) {
  const auto offset = static_cast<const std::byte*>(memory) - arena.at<std::byte>(0);
  return static_cast<Line>(static_cast<std::size_t>(offset) / kLineBytes);
}

Line new_segment(Shard& shard, Arena& arena, std::uint32_t depth) TIDEGATE_REQUIRES(shard.lock) {
  const Line line = arena.allocate(Segment::kLines);
  std::memset(arena.at<void*>(line), 0, sizeof(Segment));
  work_of_this_thread.bytes_zeroed += sizeof(Segment);
  arena.at<Segment>(line)->set_depth(depth);
  ++shard.segments;
  return line;
}

// The adjacent directory entries that name one segment.
struct Span {
  std::uint32_t first;
  std::uint32_t count;
};

Span span_of(const Shard& shard, std::uint32_t index, std::uint32_t segment_depth)
    TIDEGATE_REQUIRES(shard.lock) {
  const std::uint32_t count = 1U << (shard.depth - segment_depth);
  return {index & ~(count - 1), count};
}

// In place while the shard's own two entries are enough.
void double_directory(Shard& shard, Arena& arena) TIDEGATE_REQUIRES(shard.lock) {
  const std::uint32_t entries = shard.directory_size();
  Line* old = shard.directory;
  if (entries > 1) shard.directory = new_directory(arena, 2 * entries);
  for (std::uint32_t i = 2 * entries; i-- > 0;) shard.directory[i] = old[i / 2];
  if (entries > 2) arena.release(line_of(arena, old), directory_lines(entries));
  ++shard.depth;
  shard.sweep_index *= 2;
}

void split(Shard& shard, Arena& arena, const ShardBits& bits, Identity identity)
    TIDEGATE_REQUIRES(shard.lock) {
  Segment& segment = shard.segment(arena, bits, identity);
  const std::uint32_t depth = segment.depth();
  if (depth == shard.depth) double_directory(shard, arena);
  const Line upper = new_segment(shard, arena, depth + 1);
  segment.divide(arena, bits.dividing_bit(depth), *arena.at<Segment>(upper));
  const Span span = span_of(shard, bits.directory_index(identity, shard.depth), depth);
  std::fill_n(shard.directory + span.first + span.count / 2, span.count / 2, upper);
  segment.set_depth(depth + 1);
  ++shard.splits;
}

}  // namespace

void make_room(Shard& shard, Arena& arena, const ShardBits& bits, Identity identity) {
  if (shard.segments == 0) shard.directory[0] = new_segment(shard, arena, 0);
  while (shard.segment(arena, bits, identity).full()) split(shard, arena, bits, identity);
}

void merge_if_sparse(Shard& shard, Arena& arena, std::uint32_t index) {
  const Line line = shard.directory[index];
  Segment& segment = *arena.at<Segment>(line);
  const std::uint32_t depth = segment.depth();
  if (depth == 0) return;
  const Span span = span_of(shard, index, depth);
  if ((span.first & span.count) == 0) return;
  const std::uint32_t buddy_first = span.first - span.count;
  const Line buddy_line = shard.directory[buddy_first];
  Segment& buddy = *arena.at<Segment>(buddy_line);
  if (buddy.depth() != depth || segment.size() + buddy.size() > kSparse) return;
  segment.absorb(arena, buddy);
  segment.set_depth(depth - 1);
  std::fill_n(shard.directory + buddy_first, span.count, line);
  arena.release(buddy_line, Segment::kLines);
  ++work_of_this_thread.segments_freed;
  --shard.segments;
  ++shard.merges;
}

}  // namespace tidegate::memory
