// The answer to one take: may it happen now, and if not, when?
//
// A value. Durations count from the moment of the decision. Rounding to seconds is for front ends,
// and goes up.
#pragma once

#include <cstdint>

#include "tidegate/base/time.h"

namespace tidegate {

// How much a take asks for, in tokens. 0 only looks; a negative cost is refused as an error before
// it reaches an algorithm.
using Cost = std::int64_t;

struct Decision {
  Time at{};                   // the key's own time of the decision; give_back wants it
  Duration retry_after{0};     // zero when allowed; kNever when the cost can never fit; else exact:
                               // one tick earlier the same take is denied, at it admitted
  Duration reset_after{0};     // until remaining == capacity if nothing else happens; zero: now
  std::uint32_t capacity = 0;  // the most that can be taken at once
  std::uint32_t remaining = 0;  // the largest cost that would be admitted now
  bool allowed = false;

  bool operator==(const Decision&) const = default;
};

}  // namespace tidegate
