// What a set of rules would have done to a trace: each request is one descriptor, of the fields
// that make its key, and is decided by a memory store in virtual time.
//
// Thread safety: none. Cost: a match for each key, a request to the store for each request.
#pragma once

#include <string>
#include <vector>

#include "tidegate/base/expected.h"
#include "tidegate/replay/outcome.h"

namespace tidegate::replay {

struct RulesPlan {
  std::vector<std::string> files;
  std::string domain;
  std::vector<std::string> by;  // as the trace was loaded: the keys of the descriptor's entries
};

// An error when the rules do not load, or do not know the domain.
Expected<Outcome> decide_by_rules(const Trace& trace, const RulesPlan& plan, const Frame& frame);

// The values of which a key was made; see append_escaped.
std::vector<std::string> split_joined(std::string_view key);

}  // namespace tidegate::replay
