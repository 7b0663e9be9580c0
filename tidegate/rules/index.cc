#include "tidegate/rules/index.h"

namespace tidegate::rules {

Level::Level(std::span<const Rule> rules) {
  for (const Rule& rule : rules) add(rule);
}

void Level::add(const Rule& rule) {
  Branch branch{&rule, rule.rules.empty() ? nullptr : std::make_unique<const Level>(rule.rules)};
  Choices& choices = keys_[rule.key];
  if (rule.value.empty()) {
    choices.any = std::move(branch);
    return;
  }
  const auto [added, is_new] = choices.exact.emplace(rule.value, std::move(branch));
  if (is_new && is_pattern(rule.value))
    choices.patterns.emplace_back(Pattern{rule.value}, &added->second);
}

const Branch* Level::find(const DescriptorEntry& entry) const {
  const auto choices = keys_.find(entry.key);
  if (choices == keys_.end()) return nullptr;
  const auto exact = choices->second.exact.find(entry.value);
  if (exact != choices->second.exact.end()) return &exact->second;
  for (const auto& [pattern, branch] : choices->second.patterns)
    if (pattern.matches(entry.value)) return branch;
  return choices->second.any.rule == nullptr ? nullptr : &choices->second.any;
}

Index::Index(std::span<const Domain> domains) {
  for (const Domain& domain : domains) domains_.emplace(domain.name, Level{domain.rules});
}

const Level* Index::find(std::string_view domain) const {
  const auto found = domains_.find(domain);
  return found == domains_.end() ? nullptr : &found->second;
}

}  // namespace tidegate::rules
