// Rules from a text in the test, and requests to them in a line each.
//
//   Rules rules{"domain: api\n..."};
//   EXPECT_EQ(rules.ask("user=42, path=/"), "api|user=42|path=/ 5/min");
//
// Thread safety: as an int.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/rules/load.h"

namespace tidegate::test {

inline std::string joined(const std::vector<Error>& errors) {
  std::string text;
  for (const Error& error : errors) text += error.message() + "\n";
  return text;
}

inline rules::Loaded load_text(std::string_view text, rules::LoadOptions options = {}) {
  const rules::Source source{"rules.yaml", std::string{text}};
  return rules::load({&source, 1}, options);
}

// `user=42, path=/` as entries; they point into the text.
inline std::vector<rules::DescriptorEntry> entries_of(std::string_view text) {
  std::vector<rules::DescriptorEntry> entries;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(", "));
    const std::size_t sign = word.find('=');
    entries.push_back({word.substr(0, sign), word.substr(sign + 1)});
    text.remove_prefix(std::min(word.size() + 2, text.size()));
  }
  return entries;
}

class Rules {
 public:
  explicit Rules(std::string_view text, rules::LoadOptions options = {}) {
    rules::Loaded loaded = load_text(text, options);
    EXPECT_EQ(joined(loaded.errors), "");
    rules_ = std::move(loaded.rules);
    warnings = std::move(loaded.warnings);
  }

  const rules::RuleSet& set() const { return *rules_; }

  // What one descriptor meets: its key and its limit, or why there is none.
  std::string ask(std::string_view entries) { return ask_all({entries}).front(); }

  // The same for several of one request.
  std::vector<std::string> ask_all(const std::vector<std::string_view>& texts) {
    std::vector<std::vector<rules::DescriptorEntry>> entries;
    for (const std::string_view text : texts) entries.push_back(entries_of(text));
    std::vector<rules::Descriptor> descriptors;
    for (const auto& list : entries) descriptors.push_back({.entries = list});
    rules_->match({.domain = rules_->domains().front().name, .descriptors = descriptors}, match);
    std::vector<std::string> answers;
    for (const rules::Met& met : match.descriptors()) answers.push_back(answer(met));
    return answers;
  }

  rules::Match match;  // the last one
  std::vector<Error> warnings;

 private:
  std::string answer(const rules::Met& met) const {
    if (met.outcome == rules::Outcome::kUnlimited) return "unlimited";
    if (met.outcome == rules::Outcome::kReplaced) return "replaced";
    if (met.outcome == rules::Outcome::kNoLimit) return "no limit";
    const Take& take = match.takes()[met.take];
    return std::string{take.key} + " " + take.limit.to_string();
  }

  std::shared_ptr<const rules::RuleSet> rules_;
};

}  // namespace tidegate::test
