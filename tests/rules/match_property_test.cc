// Random rules and requests: the same as a literal search finds, and keys that never collide.
#include <gtest/gtest.h>

#include <map>

#include "tests/rules/loaded.h"
#include "tests/rules/naive_rules.h"
#include "tidegate/rules/explain.h"
#include "tidegate/rules/key.h"

namespace tidegate::test {
namespace {

using rules::DescriptorEntry;

std::string in_quotes(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += (c == '\\' || c == '"' ? "\\" : "") + std::string{c};
  return quoted + "\"";
}

std::string yaml_of(const std::vector<NaiveRule>& rules) {
  std::string text = "[";
  for (const NaiveRule& rule : rules) {
    text += "{key: " + in_quotes(rule.key) + ", value: " + in_quotes(rule.value);
    if (rule.tokens > 0) text += ", rate_limit: {limit: " + std::to_string(rule.tokens) + "/min}";
    if (rule.share) text += ", share_threshold: true";
    text += ", descriptors: " + yaml_of(rule.rules) + "},\n";
  }
  return text + "]";
}

struct Owned {
  std::vector<std::pair<std::string, std::string>> entries;

  std::vector<DescriptorEntry> views() const {
    std::vector<DescriptorEntry> views;
    for (const auto& [key, value] : entries) views.push_back({key, value});
    return views;
  }
};

// A way down the rules, now and then off it.
Owned random_request(Random& random, const std::vector<NaiveRule>& top) {
  Owned request;
  const std::vector<NaiveRule>* level = &top;
  for (std::int64_t n = random.between(0, 4); n > 0; --n) {
    if (level == nullptr || level->empty() || random.chance(15)) {
      request.entries.emplace_back(random_key(random), random_value(random));
      continue;
    }
    const NaiveRule& rule = random.pick_from(*level);
    std::string value = rule.value;
    if (value.empty() || random.chance(30)) value = random_value(random);
    for (std::size_t star; (star = value.find('*')) != std::string::npos && random.chance(90);)
      value.replace(star, 1, random_text(random, {'a', 'b', '|'}, 2));
    request.entries.emplace_back(rule.key, value);
    level = &rule.rules;
  }
  return request;
}

TEST(MatchProperty, Finds_what_a_literal_search_finds) {
  for_each_trace(400, [](Random& random) {
    int tokens = 0;
    const std::vector<NaiveRule> naive = random_rules(random, 3, tokens);
    const rules::Loaded loaded = load_text("domain: d\ndescriptors: " + yaml_of(naive));
    ASSERT_NE(loaded.rules, nullptr) << joined(loaded.errors) << yaml_of(naive);
    std::map<std::string, NaiveIdentity> known;
    rules::Match match;
    for (int i = 0; i < 60; ++i) {
      const Owned request = random_request(random, naive);
      const std::vector<DescriptorEntry> entries = request.views();
      const NaiveAnswer expected = naive_match(naive, entries);
      const rules::Descriptor descriptor{.entries = entries};
      loaded.rules->match({.domain = "d", .descriptors = {&descriptor, 1}}, match);
      ASSERT_EQ(match.takes().size(), expected.tokens > 0 ? 1U : 0U) << yaml_of(naive);
      if (expected.tokens == 0) continue;
      const Take& take = match.takes()[0];
      ASSERT_EQ(take.limit.tokens(), static_cast<std::uint32_t>(expected.tokens)) << take.key;
      const auto [same, is_new] = known.emplace(take.key, expected.identity);
      ASSERT_EQ(same->second, expected.identity) << take.key;
    }
    std::map<NaiveIdentity, std::string> back;
    for (const auto& [key, identity] : known)
      ASSERT_TRUE(back.emplace(identity, key).second) << key;
  });
}

TEST(MatchProperty, Explains_what_it_finds) {
  for_each_trace(200, [](Random& random) {
    int tokens = 0;
    const std::vector<NaiveRule> naive = random_rules(random, 3, tokens);
    const rules::Loaded loaded = load_text("domain: d\ndescriptors: " + yaml_of(naive));
    ASSERT_NE(loaded.rules, nullptr) << joined(loaded.errors);
    rules::Match match;
    for (int i = 0; i < 40; ++i) {
      const Owned request = random_request(random, naive);
      const std::vector<DescriptorEntry> entries = request.views();
      const rules::Descriptor descriptor{.entries = entries};
      loaded.rules->match({.domain = "d", .descriptors = {&descriptor, 1}}, match);
      const auto steps = rules::explain(*loaded.rules->find("d"), entries);
      const rules::Rule* const met =
          steps.size() == entries.size() && !steps.empty() ? steps.back().met : nullptr;
      ASSERT_EQ(match.descriptors()[0].rule, met);
      for (const rules::Step& step : steps)
        for (const rules::Candidate& candidate : step.candidates)
          ASSERT_EQ(candidate.why == rules::Why::kMet, candidate.rule == step.met);
    }
  });
}

// A list of entries as keys tell them apart: of a shared one, the value is the pattern.
struct Identity {
  std::string domain;
  bool brought_limit;
  std::vector<std::tuple<std::string, bool, std::string>> parts;  // key, shared, value

  auto operator<=>(const Identity&) const = default;
};

Identity random_identity(Random& random) {
  Identity identity{.domain = random_text(random, {'d', '|', '\\', '='}, 3),
                    .brought_limit = random.chance(20),
                    .parts = {}};
  for (std::int64_t n = random.between(0, 2); n > 0; --n)
    identity.parts.emplace_back(random_key(random), random.chance(30), random_value(random));
  return identity;
}

std::string key_of(const Identity& identity) {
  std::string text;
  rules::append_domain(text, identity.domain);
  if (identity.brought_limit) rules::append_brought_limit(text, std::chrono::minutes{1});
  for (const auto& [key, shared, value] : identity.parts)
    shared ? rules::append_shared_part(text, key, value) : rules::append_part(text, {key, value});
  return text;
}

TEST(MatchProperty, Keys_of_other_lists_are_other_keys) {
  for_each_trace(30, [](Random& random) {
    std::map<std::string, Identity> known;
    for (int i = 0; i < 4000; ++i) {
      const Identity identity = random_identity(random);
      const auto [same, is_new] = known.emplace(key_of(identity), identity);
      ASSERT_TRUE(same->second == identity) << same->first;
    }
  });
}

}  // namespace
}  // namespace tidegate::test
