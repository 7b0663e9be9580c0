// Rules as a literal list that is searched from the top for every question: what RuleSet is
// compared with. Nothing of tidegate/rules is in it, but for the request.
//
// Thread safety: as an int.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/random.h"
#include "tidegate/rules/descriptor.h"

namespace tidegate::test {

struct NaiveRule {
  std::string key;
  std::string value;  // empty: any
  int tokens = 0;     // 0: no limit
  bool share = false;
  std::vector<NaiveRule> rules = {};
};

// By its definition: a star is nothing, or one byte and the star again.
inline bool naive_matches(std::string_view pattern, std::string_view value) {
  if (pattern.empty()) return value.empty();
  if (pattern.front() != '*')
    return !value.empty() && pattern.front() == value.front() &&
           naive_matches(pattern.substr(1), value.substr(1));
  return naive_matches(pattern.substr(1), value) ||
         (!value.empty() && naive_matches(pattern, value.substr(1)));
}

inline const NaiveRule* naive_find(const std::vector<NaiveRule>& rules,
                                   const rules::DescriptorEntry& entry) {
  for (const NaiveRule& rule : rules)
    if (rule.key == entry.key && !rule.value.empty() && rule.value == entry.value) return &rule;
  for (const NaiveRule& rule : rules)
    if (rule.key == entry.key && rule.value.find('*') != std::string::npos &&
        naive_matches(rule.value, entry.value))
      return &rule;
  for (const NaiveRule& rule : rules)
    if (rule.key == entry.key && rule.value.empty()) return &rule;
  return nullptr;
}

// What is limited together: for each entry its key, and its value or the pattern that it shares.
using NaiveIdentity = std::vector<std::pair<std::string, std::pair<bool, std::string>>>;

struct NaiveAnswer {
  int tokens = 0;  // 0: no limit
  NaiveIdentity identity = {};
};

inline NaiveAnswer naive_match(const std::vector<NaiveRule>& top,
                               const std::vector<rules::DescriptorEntry>& entries) {
  NaiveAnswer answer;
  const std::vector<NaiveRule>* level = &top;
  for (const rules::DescriptorEntry& entry : entries) {
    const NaiveRule* const rule = naive_find(*level, entry);
    if (rule == nullptr) return {};
    answer.tokens = rule->tokens;
    answer.identity.push_back(
        {std::string{entry.key},
         {rule->share, rule->share ? rule->value : std::string{entry.value}}});
    level = &rule->rules;
  }
  return answer;
}

// Texts of few letters, structure among them, so that they meet and nearly meet often.
inline std::string random_text(Random& random, std::initializer_list<char> letters, int longest) {
  std::string text;
  for (std::int64_t n = random.between(0, longest); n > 0; --n) text += random.pick(letters);
  return text;
}

inline std::string random_key(Random& random) {
  return random.pick({'a', 'b', '|'}) + random_text(random, {'a', '=', '~', '|', '\\'}, 1);
}
inline std::string random_value(Random& random) {
  return random_text(random, {'a', 'b', '=', '|', '\\', '~'}, 4);
}

// Siblings that differ. `tokens` makes every limit another one.
inline std::vector<NaiveRule> random_rules(Random& random, int depth, int& tokens) {
  std::map<std::pair<std::string, std::string>, bool> seen;
  std::vector<NaiveRule> rules;
  for (std::int64_t n = random.between(1, 5); n > 0; --n) {
    NaiveRule rule{.key = random_key(random), .value = {}};
    if (random.chance(70)) rule.value = random_text(random, {'a', 'b', '*', '*', '|', '='}, 4);
    if (!seen.emplace(std::pair{rule.key, rule.value}, true).second) continue;
    if (random.chance(80)) rule.tokens = ++tokens;
    rule.share = rule.value.find('*') != std::string::npos && random.chance(40);
    if (depth > 1 && random.chance(60)) rule.rules = random_rules(random, depth - 1, tokens);
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace tidegate::test
