// How long requests took: counts by bounds that double, roughly.
//
// Thread safety: LatencyCount is written by one event loop and may be read by any thread; Latency
// is a plain value. Cost of a count: a search among 16 bounds, and two loads and stores.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "tidegate/base/time.h"
#include "tidegate/frontend/loop_count.h"

namespace tidegate::frontend {

struct Latency {
  // In microseconds; what took longer than the last is counted too.
  static constexpr std::array<std::int64_t, 16> kBounds = {
      5,     10,    25,     50,     100,    250,     500,     1'000,
      2'500, 5'000, 10'000, 25'000, 50'000, 100'000, 250'000, 1'000'000};

  std::array<std::uint64_t, kBounds.size() + 1> counts{};
  std::uint64_t total_us = 0;

  // Which count takes so long a time.
  static std::size_t bucket(Duration duration) {
    const auto* const bound = std::lower_bound(kBounds.begin(), kBounds.end(), duration.count());
    return static_cast<std::size_t>(bound - kBounds.begin());
  }

  Latency& operator+=(const Latency& more) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += more.counts[i];
    total_us += more.total_us;
    return *this;
  }
  bool operator==(const Latency&) const = default;
};

class LatencyCount {
 public:
  // So many requests that took so long each.
  void add(Duration duration, std::uint64_t requests = 1) {
    const auto us = static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0));
    counts_[Latency::bucket(duration)].add(requests);
    total_us_.add(us * requests);
  }
  Latency value() const {
    Latency value{.total_us = total_us_.value()};
    for (std::size_t i = 0; i < counts_.size(); ++i) value.counts[i] = counts_[i].value();
    return value;
  }

 private:
  std::array<LoopCount, Latency::kBounds.size() + 1> counts_;
  LoopCount total_us_;
};

}  // namespace tidegate::frontend
