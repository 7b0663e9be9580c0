// A shard: a lock, and the segments that hold one share of all identities (extendible hashing).
//
// The directory maps the next `depth` bits of an identity to its segment; several entries may name
// the same one. A full segment splits in two; a directory doubles when a segment's depth passes its
// own. What sweeping has left sparse merges with its buddy again.
// Invariants
//   1. A segment of depth d is named by the 2^(depth - d) adjacent entries that share its d bits.
//   2. A shard without segments names the arena's zero lines, which are an empty segment.
// Thread safety: the shard's lock guards all of it, see the annotations; `lock` is the only member
// to touch without it. Cost: find is two dependent loads to the segment; a split moves at most 64
// states.
#pragma once

#include <cstdint>

#include "tidegate/base/spin_lock.h"
#include "tidegate/base/time.h"
#include "tidegate/store/memory/arena.h"
#include "tidegate/store/memory/segment.h"

namespace tidegate::memory {

// How an identity's bits are used: the shard's from the top, then the directory's.
class ShardBits {
 public:
  explicit ShardBits(std::uint32_t bits) : bits_{bits} {}

  std::uint32_t shards() const { return 1U << bits_; }
  std::uint32_t shard(Identity identity) const {
    return static_cast<std::uint32_t>(identity >> 1 >> (63 - bits_));
  }
  std::uint32_t directory_index(Identity identity, std::uint32_t depth) const {
    return static_cast<std::uint32_t>(identity << bits_ >> 1 >> (63 - depth));
  }
  // The bit that tells the halves of a segment of this depth apart.
  Identity dividing_bit(std::uint32_t depth) const { return Identity{1} << (63 - bits_ - depth); }

 private:
  std::uint32_t bits_;
};

struct alignas(kLineBytes) Shard {
  SpinLock lock;
  std::uint8_t depth TIDEGATE_GUARDED_BY(lock) = 0;
  std::uint32_t sweep_index TIDEGATE_GUARDED_BY(lock) = 0;  // directory entry to sweep next
  std::uint32_t segments TIDEGATE_GUARDED_BY(lock) = 0;
  std::uint32_t splits TIDEGATE_GUARDED_BY(lock) = 0;
  std::uint32_t merges TIDEGATE_GUARDED_BY(lock) = 0;
  Line* directory TIDEGATE_GUARDED_BY(lock) = own_directory;
  Time latest TIDEGATE_GUARDED_BY(lock){};  // of the last decision here
  Time next_sweep TIDEGATE_GUARDED_BY(lock){};
  std::uint64_t dice TIDEGATE_GUARDED_BY(lock) = 0;      // state of the sampler
  Line own_directory[2] TIDEGATE_GUARDED_BY(lock) = {};  // while two entries are enough

  Segment& segment(const Arena& arena, const ShardBits& bits, Identity identity) const
      TIDEGATE_REQUIRES(lock) {
    return *arena.at<Segment>(directory[bits.directory_index(identity, depth)]);
  }
  std::uint32_t directory_size() const TIDEGATE_REQUIRES(lock) { return 1U << depth; }
};
static_assert(sizeof(Shard) == kLineBytes);

// Sees to it that the identity's segment has room, splitting as often as that takes.
void make_room(Shard& shard, Arena& arena, const ShardBits& bits, Identity identity)
    TIDEGATE_REQUIRES(shard.lock);

// Merges the segment at a directory index with its buddy before it when both are sparse. (A buddy
// behind it is left alone: a sweep that comes this way has not looked at it yet.)
void merge_if_sparse(Shard& shard, Arena& arena, std::uint32_t index) TIDEGATE_REQUIRES(shard.lock);

}  // namespace tidegate::memory
