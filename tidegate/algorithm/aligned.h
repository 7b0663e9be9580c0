// What the three algorithms whose edges are multiples of the period since the epoch (UTC) share.
//
// Pure. A stored time ahead of the clock is trusted for one period at most, and until the clock has
// caught up with it time stands still on that key. (Relabelling the state to the present window
// instead would let its edge be crossed twice.)
#pragma once

#include <algorithm>

#include "tidegate/base/time.h"

namespace tidegate::aligned {

struct Paused {
  Time at;   // the stored time, rebased
  Time now;  // the key's own time of decision
};

constexpr Paused pause(Time at, Duration period, Time now) {
  const Time rebased = std::min(at, now + period);
  return {rebased, std::max(now, rebased)};
}

constexpr Time window_start(Time t, Duration period) {
  return t - t.time_since_epoch() % period;
}

// How many edges lie in (from, to].
constexpr std::int64_t edges_between(Time from, Time to, Duration period) {
  return to.time_since_epoch() / period - from.time_since_epoch() / period;
}

}  // namespace tidegate::aligned
