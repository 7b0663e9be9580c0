// Why an entry meets the rule that it meets, and not the others.
//
// For people who wonder; RuleSet::match finds the same, faster. Thread safety: pure. Cost: linear
// in the rules of each level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tidegate/rules/descriptor.h"
#include "tidegate/rules/rule.h"

namespace tidegate::rules {

enum class Why : std::uint8_t {
  kMet,
  kOtherKey,
  kKeyInOtherCase,
  kOtherValue,
  kPatternFails,
  kExactFirst,     // it would do, but a rule with just this value comes first
  kPatternBefore,  // it would do, but a pattern further up in the file does too
  kValueFirst,     // it has the key alone, and a rule with a value was met
};

// What the reason says, for people.
std::string_view text(Why why);

struct Candidate {
  const Rule* rule;
  Why why;
};

// One entry, and the rules that it could have met.
struct Step {
  DescriptorEntry entry;
  std::vector<Candidate> candidates;  // in the order of the file
  const Rule* met = nullptr;
};

// A step for each entry until none is met.
std::vector<Step> explain(const Domain& domain, std::span<const DescriptorEntry> entries);

}  // namespace tidegate::rules
