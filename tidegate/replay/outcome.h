// What a limit would have done to a trace: every request is decided, in virtual time, by the very
// functions that production runs.
//
// Thread safety: decide reads a trace and uses threads of its own, each with a share of the keys.
// Cost: one take a request, 20 to 50 ns, and a state for each key.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tidegate/algorithm/limit.h"
#include "tidegate/replay/trace.h"

namespace tidegate::replay {

// Equal stretches of time that a trace is counted in.
struct Frame {
  Time start{};
  Duration width{1};
  std::size_t count = 0;

  std::size_t index(Time at) const { return static_cast<std::size_t>((at - start) / width); }
  Time time(std::size_t i) const { return start + static_cast<std::int64_t>(i) * width; }
};

// About as many stretches as asked for, of a length that people count in.
Frame frame_of(const Trace& trace, std::size_t about);

struct Outcome {
  std::string name;           // the limit, as it is written; or the rules
  std::uint64_t allowed = 0;  // requests, whatever their costs
  std::uint64_t denied = 0;
  std::uint64_t denied_keys = 0;
  std::vector<std::uint32_t> denied_by_key;
  std::vector<std::uint64_t> allowed_over_time;  // one for each stretch of the frame
  std::vector<std::uint64_t> denied_over_time;
};

// Requires threads > 0.
Outcome decide(const Trace& trace, const Limit& limit, const Frame& frame, unsigned threads);

}  // namespace tidegate::replay
