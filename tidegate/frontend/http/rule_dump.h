// A rule set as text, a line for each rule that limits.
//
// Pure. Cost: O(rules).
#pragma once

#include <string>

#include "tidegate/rules/rule_set.h"

namespace tidegate::frontend::http {

// `api|user=42: 5/min, shadow_mode: true (limits.yaml:3:5)`
std::string dump(const rules::RuleSet& rules);

}  // namespace tidegate::frontend::http
