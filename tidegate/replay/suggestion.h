// Which limit? What each of some would touch and deny, and the smallest that does no more than one
// wants.
//
// Under a sliding_window a key is denied something exactly when its peak exceeds the limit, so how
// many keys a limit touches is read off the peaks; how many requests it denies is decided by
// running it. Cost: some twenty runs over the trace.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tidegate/replay/demand.h"
#include "tidegate/replay/trace.h"

namespace tidegate::replay {

struct SuggestPlan {
  Duration period = std::chrono::seconds{60};
  double touch = 0.01;  // of the keys at most
  double deny = 0.001;  // of the requests at most
  unsigned threads = 1;
};

struct Choice {
  double percentile;  // of the keys' peaks, in [0, 1]
  std::uint64_t tokens;
  std::uint64_t denied;        // requests
  std::uint64_t keys_touched;  // keys that are denied something
};

struct Suggestion {
  SuggestPlan plan;
  std::vector<Choice> choices;     // from many touched to none
  std::optional<Choice> by_touch;  // the smallest limit that touches few enough keys
  std::optional<Choice> by_deny;   // ... that denies few enough requests
};

// Empty for a trace without requests.
Suggestion suggest(const Trace& trace, const Demand& demand, const SuggestPlan& plan);

}  // namespace tidegate::replay
