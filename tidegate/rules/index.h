// Finds the rule that an entry meets.
//
// Thread safety: immutable. Cost: a lookup by the entry's key, one by its value, and the patterns
// of that key in the order of the file.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tidegate/rules/descriptor.h"
#include "tidegate/rules/pattern.h"
#include "tidegate/rules/rule.h"

namespace tidegate::rules {

class Level;

// A rule and what lies below it.
struct Branch {
  const Rule* rule = nullptr;
  std::unique_ptr<const Level> below = nullptr;
};

// Siblings: the rules for one entry.
class Level {
 public:
  // The rules must outlive it.
  explicit Level(std::span<const Rule> rules);

  // What the entry meets; null when that is nothing.
  const Branch* find(const DescriptorEntry& entry) const;

 private:
  // The rules with one key.
  struct Choices {
    Branch any;
    std::unordered_map<std::string_view, Branch> exact;  // patterns too: each matches itself
    std::vector<std::pair<Pattern, const Branch*>> patterns;
  };

  void add(const Rule& rule);

  std::unordered_map<std::string_view, Choices> keys_;
};

class Index {
 public:
  // The domains must outlive it.
  explicit Index(std::span<const Domain> domains);

  // The top level of a domain; null when there is no such domain.
  const Level* find(std::string_view domain) const;

 private:
  std::unordered_map<std::string_view, Level> domains_;
};

}  // namespace tidegate::rules
