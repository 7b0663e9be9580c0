// The keys that come most often, of any number, in bounded memory: SpaceSaving (Metwally, Agrawal
// and El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data Streams", 2005).
//
//   top.add("api|user=42");
//   for (const TopKey& key : top.most(20)) ...
//
// A key that is not kept takes the place of the one that came least, and its count. So a key's true
// count lies in [count - error, count], and every key that came more often than kKept-th of all in
// its part is there. Keys are divided among parts, each with a lock of its own. Thread safety:
// every member may be called from any thread. Cost of `add`: a hash, a lock, some ten comparisons;
// keys are kept up to 256 bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tidegate/base/spin_lock.h"
#include "tidegate/base/thread_annotations.h"

namespace tidegate::server {

struct TopKey {
  std::string key;
  std::uint64_t count = 0;
  std::uint64_t error = 0;  // how much of the count may belong to others
};

// One part.
class SpaceSaving {
 public:
  explicit SpaceSaving(std::size_t kept);

  void add(std::string_view key);
  // In no order.
  const std::vector<TopKey>& keys() const { return keys_; }

 private:
  using Index = std::uint32_t;  // of a key

  void count(Index index);
  void set(std::size_t place, Index index);

  const std::size_t kept_;
  std::vector<TopKey> keys_;  // they stay where they are
  std::unordered_map<std::string_view, Index> indices_;
  std::vector<Index> heap_;          // the least count on top
  std::vector<std::size_t> places_;  // of each key within it
};

class TopKeys;

// `{"denied":[{"key":"api|user=42","count":12,"error":0}],"taken":[...]}`, so many of each.
std::string top_json(const TopKeys& denied, const TopKeys& taken, std::size_t most);

class TopKeys {
 public:
  void add(std::string_view key);

  // The most frequent, the first one first.
  std::vector<TopKey> most(std::size_t count) const;

 private:
  static constexpr std::size_t kParts = 16;
  static constexpr std::size_t kKept = 128;
  static constexpr std::size_t kMostBytes = 256;

  struct Part {
    mutable SpinLock lock;
    SpaceSaving keys TIDEGATE_GUARDED_BY(lock){kKept};
  };

  std::array<Part, kParts> parts_;
};

}  // namespace tidegate::server
