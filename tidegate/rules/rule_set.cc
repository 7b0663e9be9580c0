#include "tidegate/rules/rule_set.h"

#include <algorithm>

#include "tidegate/rules/index.h"
#include "tidegate/rules/key.h"

namespace tidegate::rules {
namespace {

// Numbers rules in the order of the files, and names each by its path.
std::size_t number(std::vector<Rule>& rules, const std::string& above, std::size_t next) {
  for (Rule& rule : rules) {
    rule.number = next++;
    rule.path = above;
    rule.value.empty() ? append_any_part(rule.path, rule.key)
                       : append_part(rule.path, {rule.key, rule.value});
    next = number(rule.rules, rule.path, next);
  }
  return next;
}

bool any_replaces(std::span<const Rule> rules) {
  return std::any_of(rules.begin(), rules.end(), [](const Rule& rule) {
    return !rule.replaces.empty() || any_replaces(rule.rules);
  });
}

void append_key(std::string& key, const Rule& rule, const DescriptorEntry& entry) {
  if (rule.share_threshold) {
    append_shared_part(key, rule.key, rule.value);
  } else {
    append_part(key, entry);
  }
}

// The rule that a descriptor's last entry meets, and its key appended; null when there is none.
const Rule* follow(const Level* level, std::span<const DescriptorEntry> entries, std::string& key) {
  const Rule* rule = nullptr;
  for (const DescriptorEntry& entry : entries) {
    const Branch* const branch = level == nullptr ? nullptr : level->find(entry);
    if (branch == nullptr) return nullptr;
    rule = branch->rule;
    level = branch->below.get();
    append_key(key, *rule, entry);
  }
  return rule;
}

Met met(const Rule* rule) {
  if (rule == nullptr) return {};
  if (rule->unlimited) return {.outcome = Outcome::kUnlimited, .rule = rule};
  return {.outcome = rule->limit ? Outcome::kTake : Outcome::kNoLimit, .rule = rule};
}

bool replaces(const Met& other, const std::string& name) {
  if (other.rule == nullptr) return false;
  const std::vector<std::string>& names = other.rule->replaces;
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A rule that is replaced still replaces others.
void drop_replaced(std::span<Met> all) {
  for (Met& one : all) {
    if (one.outcome != Outcome::kTake || one.rule == nullptr || one.rule->name.empty()) continue;
    const auto by = [&](const Met& other) { return replaces(other, one.rule->name); };
    if (std::any_of(all.begin(), all.end(), by)) one.outcome = Outcome::kReplaced;
  }
}

Take take_for(const Met& met, const Descriptor& descriptor, Cost cost, std::string_view key) {
  return {.key = key,
          .limit = descriptor.limit ? *descriptor.limit : *met.rule->limit,
          .cost = descriptor.cost.value_or(cost),
          .role = met.rule == nullptr ? Role::kBinding : met.rule->role,
          .on_store_error =
              met.rule == nullptr ? OnStoreError::kStoresChoice : met.rule->on_store_error,
          .layout = met.rule == nullptr ? Layout::kStoresChoice : met.rule->layout};
}

}  // namespace

RuleSet::RuleSet(std::vector<Domain> domains, Algorithm default_algorithm)
    : domains_{std::move(domains)}, default_algorithm_{default_algorithm} {
  for (Domain& domain : domains_) {
    std::string path;
    append_domain(path, domain.name);
    size_ = number(domain.rules, path, size_);
    any_replaces_ = any_replaces_ || any_replaces(domain.rules);
  }
  index_ = std::make_unique<const Index>(domains_);
}

RuleSet::~RuleSet() = default;

const Domain* RuleSet::find(std::string_view domain) const {
  const auto found = std::find_if(domains_.begin(), domains_.end(),
                                  [&](const Domain& one) { return one.name == domain; });
  return found == domains_.end() ? nullptr : &*found;
}

void RuleSet::match(const DescriptorRequest& request, Match& into) const {
  meet(request, into);
  if (any_replaces_) drop_replaced(into.descriptors_);
  take(request, into);
}

// What each descriptor meets, and its key, which those without a take do not use.
void RuleSet::meet(const DescriptorRequest& request, Match& into) const {
  const Level* const top = index_->find(request.domain);
  into.knows_domain_ = top != nullptr;
  into.descriptors_.clear();
  into.keys_.clear();
  into.ends_.clear();
  for (const Descriptor& descriptor : request.descriptors) {
    into.descriptors_.push_back(meet(request.domain, top, descriptor, into.keys_));
    into.ends_.push_back(into.keys_.size());
  }
}

Met RuleSet::meet(std::string_view domain, const Level* top, const Descriptor& descriptor,
                  std::string& key) const {
  if (top == nullptr) return {};
  append_domain(key, domain);
  if (!descriptor.limit) return met(follow(top, descriptor.entries, key));
  append_brought_limit(key, descriptor.limit->period());
  for (const DescriptorEntry& entry : descriptor.entries) append_part(key, entry);
  return {.outcome = Outcome::kTake};
}

// The takes, now that no key moves any more.
void RuleSet::take(const DescriptorRequest& request, Match& into) const {
  into.takes_.clear();
  const std::string_view keys = into.keys_;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < into.descriptors_.size(); ++i) {
    const std::string_view key = keys.substr(begin, into.ends_[i] - begin);
    begin = into.ends_[i];
    Met& met = into.descriptors_[i];
    if (met.outcome != Outcome::kTake) continue;
    met.take = into.takes_.size();
    into.takes_.push_back(take_for(met, request.descriptors[i], request.cost, key));
  }
}

}  // namespace tidegate::rules
