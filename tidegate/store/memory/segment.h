// A segment: at most 64 states, found by one-byte tags that are compared all at once.
//
//   line 0    64 tags, the low byte of each state's identity
//   line 1    the numbers of up to 8 blocks, the count of states, the depth
//   blocks    8 entries of 40 bytes each, 5 lines
//
// Invariants
//   1. States are dense: 0 .. size-1. State i is entry i % 8 of block i / 8, its tag is tags[i].
//   2. Exactly the blocks that hold a state are allocated.
// Thread safety: none; the shard's lock guards it. Cost: find looks at two lines and, rarely more
// than, one entry; insert and erase move at most one state.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

#include "tidegate/algorithm/algorithm.h"
#include "tidegate/store/memory/arena.h"
#include "tidegate/store/memory/identity.h"
#include "tidegate/store/memory/tags.h"

namespace tidegate::memory {

// A state and what the table must know of it. States are relocated by copying their bytes, which
// all four allow.
class Entry {
 public:
  static constexpr std::size_t kStateAlignment = 8;

  Identity identity;

  Time expires() const { return Time{Duration{static_cast<std::int64_t>(about_ >> 11)}}; }
  Algorithm algorithm() const { return static_cast<Algorithm>(about_ >> 8 & 7); }
  // How much of the capacity was in use after the last charge, of 255.
  std::uint8_t fullness() const { return static_cast<std::uint8_t>(about_); }

  // `expires` is when the state is neutral again and may be forgotten.
  void describe(Algorithm algorithm, Time expires, std::uint8_t fullness) {
    about_ = static_cast<std::uint64_t>(expires.time_since_epoch().count()) << 11 |
             static_cast<std::uint64_t>(algorithm) << 8 | fullness;
  }

  template <class S>
  S& state() {
    static_assert(sizeof(S) <= sizeof state_);
    static_assert(alignof(S) <= kStateAlignment);
    return *std::launder(reinterpret_cast<S*>(state_));
  }

  template <class S>
  S& make_state() {
    return *::new (static_cast<void*>(state_)) S{};
  }

  void destroy_state() {
    if (algorithm() == Algorithm::kSlidingWindow)
      state<sliding_window::State>().~State();  // the others hold no memory
  }

  std::size_t log_bytes() {
    return algorithm() == Algorithm::kSlidingWindow ? state<sliding_window::State>().runs.bytes()
                                                    : 0;
  }

 private:
  std::uint64_t about_;  // 53 bits of expiry, 3 of algorithm, 8 of fullness
  alignas(kStateAlignment) std::byte state_[24];
};
static_assert(sizeof(Entry) == 40);

inline constexpr std::uint32_t kEntriesPerBlock = 8;
inline constexpr std::uint32_t kBlockLines = 5;
static_assert(kEntriesPerBlock * sizeof(Entry) == kBlockLines * kLineBytes);

class alignas(kLineBytes) Segment {
 public:
  static constexpr std::uint32_t kCapacity = 64;
  static constexpr std::uint32_t kLines = 2;

  void prefetch() const {
    __builtin_prefetch(tags_);
    __builtin_prefetch(blocks_);
  }

  std::uint32_t size() const { return size_; }
  bool full() const { return size_ == kCapacity; }
  // How many bits of the identity, after the shard's, all states here share.
  std::uint32_t depth() const { return depth_; }
  void set_depth(std::uint32_t depth) { depth_ = static_cast<std::uint8_t>(depth); }

  Entry& entry(const Arena& arena, std::uint32_t i) const {
    return arena.at<Entry>(blocks_[i / kEntriesPerBlock])[i % kEntriesPerBlock];
  }

  // The index of an identity's state, or size().
  std::uint32_t find(const Arena& arena, Identity identity) const {
    for (std::uint64_t found = candidates(identity); found != 0; found &= found - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(found));
      if (entry(arena, i).identity == identity) return i;
    }
    return size_;
  }

  // States whose tag is that of the identity, as bits.
  std::uint64_t candidates(Identity identity) const {
    const std::uint64_t live = full() ? ~std::uint64_t{0} : (std::uint64_t{1} << size_) - 1;
    return match_tags(tags_, tag(identity)) & live;
  }

  // Adds an entry without a state. Requires room.
  Entry& append(Arena& arena, Identity identity);
  // Removes a state that has been destroyed; the last one takes its place.
  void remove(Arena& arena, std::uint32_t i);
  // Moves the states whose identities have this bit set to `other`, which is empty.
  void divide(Arena& arena, Identity bit, Segment& other);
  // Moves every state of `other` here. Requires room.
  void absorb(Arena& arena, Segment& other);

 private:
  static std::uint8_t tag(Identity identity) { return static_cast<std::uint8_t>(identity); }
  void move_within(Arena& arena, std::uint32_t from, std::uint32_t to);
  void set_size(Arena& arena, std::uint32_t size);

  std::uint8_t tags_[kCapacity];
  Line blocks_[kCapacity / kEntriesPerBlock];
  std::uint8_t size_;
  std::uint8_t depth_;
};
static_assert(sizeof(Segment) == Segment::kLines * kLineBytes);

}  // namespace tidegate::memory
