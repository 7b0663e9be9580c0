#include "tidegate/replay/rules_outcome.h"

#include <algorithm>
#include <utility>

#include "tidegate/base/clock.h"
#include "tidegate/base/quote.h"
#include "tidegate/rules/load.h"
#include "tidegate/store/memory/memory_store.h"

namespace tidegate::replay {
namespace {

// The takes of one key's requests; what they point at is its own.
struct Takes {
  std::string keys;
  std::vector<Take> takes;
};

Expected<std::shared_ptr<const rules::RuleSet>> load_rules(const RulesPlan& plan) {
  rules::Loaded loaded = rules::load_files(plan.files, {});
  if (!loaded.errors.empty()) return tl::unexpected{loaded.errors.front()};
  if (loaded.rules->find(plan.domain) == nullptr)
    return error("--domain " + quoted(plan.domain), "the rules know no domain of this name");
  return loaded.rules;
}

class Matcher {
 public:
  Matcher(const rules::RuleSet& rules, const RulesPlan& plan) : rules_{rules}, plan_{plan} {}

  Takes takes_of(std::string_view key) {
    const std::vector<std::string> values =
        plan_.by.size() == 1 ? std::vector<std::string>{std::string{key}} : split_joined(key);
    std::vector<rules::DescriptorEntry> entries;
    for (std::size_t i = 0; i < plan_.by.size(); ++i) entries.push_back({plan_.by[i], values[i]});
    const rules::Descriptor descriptors[] = {{.entries = entries}};
    rules_.match({.domain = plan_.domain, .descriptors = descriptors}, match_);
    return own(match_.takes());
  }

 private:
  static Takes own(std::span<const Take> takes) {
    Takes copy{{}, {takes.begin(), takes.end()}};
    for (const Take& take : takes) copy.keys += take.key;
    return copy;
  }

  const rules::RuleSet& rules_;
  const RulesPlan& plan_;
  rules::Match match_;
};

// Points the takes at their own copies of the keys, wherever those have come to lie.
void place(Takes& takes) {
  std::size_t at = 0;
  for (Take& take : takes.takes) {
    take.key = std::string_view{takes.keys}.substr(at, take.key.size());
    at += take.key.size();
  }
}

std::vector<Takes> takes_by_key(const Trace& trace, const rules::RuleSet& rules,
                                const RulesPlan& plan) {
  Matcher matcher{rules, plan};
  std::vector<Takes> by_key;
  by_key.reserve(trace.keys.size());
  for (KeyId key = 0; key < trace.keys.size(); ++key)
    place(by_key.emplace_back(matcher.takes_of(trace.keys.key(key))));
  return by_key;
}

void run(const Trace& trace, const Frame& frame, std::vector<Takes>& by_key, Outcome& outcome) {
  ManualClock clock{Time{}};
  MemoryStore store{{}, clock};
  TakeOp op{};
  for (const Hit& hit : trace.hits) {
    std::vector<Take>& takes = by_key[hit.key].takes;
    for (Take& take : takes) take.cost = hit.cost;
    clock.set(hit.at);
    op.takes = takes;
    op.verdict.allowed = true;
    if (!takes.empty()) store.submit(op);
    const bool allowed = op.verdict.allowed;
    ++(allowed ? outcome.allowed : outcome.denied);
    ++(allowed ? outcome.allowed_over_time : outcome.denied_over_time)[frame.index(hit.at)];
    outcome.denied_by_key[hit.key] += !allowed;
  }
}

}  // namespace

Expected<Outcome> decide_by_rules(const Trace& trace, const RulesPlan& plan, const Frame& frame) {
  const auto rules = load_rules(plan);
  if (!rules) return tl::unexpected{rules.error()};
  Outcome outcome{.name = "rules of " + plan.domain,
                  .denied_by_key = std::vector<std::uint32_t>(trace.keys.size()),
                  .allowed_over_time = std::vector<std::uint64_t>(frame.count),
                  .denied_over_time = std::vector<std::uint64_t>(frame.count)};
  std::vector<Takes> by_key = takes_by_key(trace, **rules, plan);
  run(trace, frame, by_key, outcome);
  outcome.denied_keys = static_cast<std::uint64_t>(
      std::count_if(outcome.denied_by_key.begin(), outcome.denied_by_key.end(),
                    [](std::uint32_t denied) { return denied > 0; }));
  return outcome;
}

std::vector<std::string> split_joined(std::string_view key) {
  std::vector<std::string> values(1);
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (key[i] == '|') {
      values.emplace_back();
    } else {
      if (key[i] == '\\') ++i;
      values.back() += key[i];
    }
  }
  return values;
}

}  // namespace tidegate::replay
