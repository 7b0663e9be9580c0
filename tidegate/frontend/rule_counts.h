// What became of the decisions by rules: counts for each rule, outcome and protocol, and never for
// a key.
//
// Thread safety: RuleTally is written by one event loop and may be read by any thread; RuleCounts
// is a plain value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tidegate/frontend/loop_count.h"
#include "tidegate/frontend/protocol.h"

namespace tidegate::frontend {

enum class Counted : std::uint8_t {
  kAllowed,
  kDenied,
  kShadowDenied,  // would have been, if its rule were not in shadow mode
  kDegraded,      // answered without the store, whatever the answer
};

inline constexpr std::size_t kCounted = 4;

constexpr std::string_view name(Counted counted) {
  constexpr std::string_view kNames[kCounted] = {"allowed", "denied", "shadow_denied", "degraded"};
  return kNames[static_cast<std::size_t>(counted)];
}

// One rule's counts.
struct RuleCounts {
  std::array<std::array<std::uint64_t, kCounted>, kProtocols> counts{};

  std::uint64_t of(Protocol protocol, Counted counted) const {
    return counts[static_cast<std::size_t>(protocol)][static_cast<std::size_t>(counted)];
  }
  RuleCounts& operator+=(const RuleCounts& more) {
    for (std::size_t p = 0; p < kProtocols; ++p)
      for (std::size_t c = 0; c < kCounted; ++c) counts[p][c] += more.counts[p][c];
    return *this;
  }
  bool operator==(const RuleCounts&) const = default;
};

// One event loop's counts, of all rules of a set by their numbers.
class RuleTally {
 public:
  explicit RuleTally(std::size_t rules) : rules_(rules) {}

  void add(std::size_t rule, Protocol protocol, Counted counted) {
    rules_[rule][static_cast<std::size_t>(protocol)][static_cast<std::size_t>(counted)].add(1);
  }
  RuleCounts of(std::size_t rule) const {
    RuleCounts values;
    for (std::size_t p = 0; p < kProtocols; ++p)
      for (std::size_t c = 0; c < kCounted; ++c) values.counts[p][c] = rules_[rule][p][c].value();
    return values;
  }

 private:
  std::vector<std::array<std::array<LoopCount, kCounted>, kProtocols>> rules_;
};

}  // namespace tidegate::frontend
