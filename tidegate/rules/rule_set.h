// All rules at once, and which of them a request meets.
//
//   Loaded loaded = load(sources, {});      // load.h
//   Match match;
//   loaded.rules->match({.domain = "api", .descriptors = descriptors}, match);
//   op.takes = match.takes();
//
// A descriptor's entries are followed from the top of its domain, one level of rules for each: the
// rule with just that key and value; else the first in the file whose value has a `*` that matches;
// else the one with the key alone. The rule that is met at the last entry counts. There is no
// second try: a rule that is met hides the others, whatever lies below it.
//
// The key of a take is `domain|key=value|key=value`, in which no two lists of entries are alike
// (key.h). Thread safety: immutable; share it. Cost of a match: two or three lookups of a hash for
// each entry, nothing allocated once the Match has grown.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/algorithm/limit_spec.h"
#include "tidegate/rules/descriptor.h"
#include "tidegate/rules/match.h"
#include "tidegate/rules/rule.h"

namespace tidegate::rules {

class Index;
class Level;

class RuleSet {
 public:
  // Requires domains and siblings that differ, as load.h makes sure of.
  RuleSet(std::vector<Domain> domains, Algorithm default_algorithm);
  ~RuleSet();
  RuleSet(const RuleSet&) = delete;
  RuleSet& operator=(const RuleSet&) = delete;

  void match(const DescriptorRequest& request, Match& into) const;

  std::span<const Domain> domains() const { return domains_; }
  const Domain* find(std::string_view domain) const;
  std::size_t size() const { return size_; }  // rules, those without a limit too

  // For limits that a request brings.
  Algorithm default_algorithm() const { return default_algorithm_; }

 private:
  void meet(const DescriptorRequest& request, Match& into) const;
  Met meet(std::string_view domain, const Level* top, const Descriptor& descriptor,
           std::string& key) const;
  void take(const DescriptorRequest& request, Match& into) const;

  std::vector<Domain> domains_;
  Algorithm default_algorithm_;
  std::size_t size_ = 0;
  bool any_replaces_ = false;
  std::unique_ptr<const Index> index_;
};

}  // namespace tidegate::rules
