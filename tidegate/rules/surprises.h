// What is right in a set of rules and may surprise all the same.
//
// Pure. Cost: linear, but for patterns with one key among siblings, where it is their square.
#pragma once

#include <cstdint>
#include <vector>

#include "tidegate/algorithm/limit.h"
#include "tidegate/base/expected.h"
#include "tidegate/rules/rule_set.h"

namespace tidegate::rules {

// What a key under this limit takes at worst in a memory store, in bytes.
std::uint64_t worst_bytes(const Limit& limit);

// `cost` is what a take usually asks for.
std::vector<Error> surprises(const RuleSet& rules, Cost cost);

}  // namespace tidegate::rules
