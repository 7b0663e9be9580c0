// How much each key asks for: its total, and its peak in any window of one period, exactly.
//
// Pure. Cost: O(requests), and 16 bytes for each while it runs.
#pragma once

#include <cstdint>
#include <vector>

#include "tidegate/replay/trace.h"

namespace tidegate::replay {

struct Demand {
  Duration period{0};
  std::vector<std::uint64_t> peaks;   // by key: the most cost in any window (t - period, t]
  std::vector<std::uint64_t> totals;  // by key: requests
};

Demand demand_of(const Trace& trace, Duration period);

// The value that this share of them, in [0, 1], does not exceed. Requires sorted values, some.
std::uint64_t percentile(const std::vector<std::uint64_t>& sorted, double share);

}  // namespace tidegate::replay
