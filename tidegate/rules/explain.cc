#include "tidegate/rules/explain.h"

#include <algorithm>

#include "tidegate/algorithm/limit_grammar.h"
#include "tidegate/rules/pattern.h"

namespace tidegate::rules {
namespace {

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return grammar::lower(x) == grammar::lower(y); });
}

// How good a rule is for an entry; the best one is met, of equals the first.
enum class Fit : std::uint8_t { kNone, kKeyAlone, kPattern, kExact };

Fit fit(const Rule& rule, const DescriptorEntry& entry) {
  if (rule.key != entry.key) return Fit::kNone;
  if (rule.value.empty()) return Fit::kKeyAlone;
  if (rule.value == entry.value) return Fit::kExact;
  return is_pattern(rule.value) && Pattern{rule.value}.matches(entry.value) ? Fit::kPattern
                                                                            : Fit::kNone;
}

const Rule* best(std::span<const Rule> rules, const DescriptorEntry& entry) {
  const Rule* met = nullptr;
  for (const Rule& rule : rules) {
    const Fit this_fit = fit(rule, entry);
    if (this_fit > (met == nullptr ? Fit::kNone : fit(*met, entry))) met = &rule;
  }
  return met;
}

Why why_unfit(const Rule& rule, const DescriptorEntry& entry) {
  if (rule.key != entry.key)
    return same_ignoring_case(rule.key, entry.key) ? Why::kKeyInOtherCase : Why::kOtherKey;
  return is_pattern(rule.value) ? Why::kPatternFails : Why::kOtherValue;
}

Why why(const Rule& rule, const DescriptorEntry& entry, const Rule* met) {
  if (&rule == met) return Why::kMet;
  const Fit this_fit = fit(rule, entry);
  if (this_fit == Fit::kNone) return why_unfit(rule, entry);
  if (this_fit == Fit::kKeyAlone) return Why::kValueFirst;
  const bool exact = met != nullptr && fit(*met, entry) == Fit::kExact;
  return exact ? Why::kExactFirst : Why::kPatternBefore;
}

Step step(std::span<const Rule> rules, const DescriptorEntry& entry) {
  Step step{.entry = entry, .candidates = {}, .met = best(rules, entry)};
  for (const Rule& rule : rules) step.candidates.push_back({&rule, why(rule, entry, step.met)});
  return step;
}

}  // namespace

std::string_view text(Why why) {
  constexpr std::string_view kTexts[] = {
      "met",
      "has another key",
      "has another key: in other letters, large and small",
      "has another value",
      "has a pattern that does not match",
      "would do, but a rule with just this value comes first",
      "would do, but a pattern further up matches too",
      "would do, but a rule with a value comes first",
  };
  return kTexts[static_cast<std::size_t>(why)];
}

std::vector<Step> explain(const Domain& domain, std::span<const DescriptorEntry> entries) {
  std::vector<Step> steps;
  std::span<const Rule> level = domain.rules;
  for (const DescriptorEntry& entry : entries) {
    steps.push_back(step(level, entry));
    if (steps.back().met == nullptr) break;
    level = steps.back().met->rules;
  }
  return steps;
}

}  // namespace tidegate::rules
