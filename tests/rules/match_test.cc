// What requests meet: the rules of matching, one story each.
#include <gtest/gtest.h>

#include <set>

#include "tests/rules/loaded.h"

namespace tidegate::test {
namespace {

using rules::Outcome;

// Rules whose limits tell them apart: 1/min for the first key and value, 2/min for the next one.
std::string domain_of(std::initializer_list<std::pair<std::string_view, std::string_view>> rules) {
  std::string text = "domain: d\ndescriptors:\n";
  int tokens = 0;
  for (const auto& [key, value] : rules) {
    text += "  - key: " + std::string{key} + "\n";
    if (!value.empty()) text += "    value: '" + std::string{value} + "'\n";
    text += "    rate_limit: {unit: minute, requests_per_unit: " + std::to_string(++tokens) + "}\n";
  }
  return text;
}

TEST(Match, A_star_stands_for_zero_or_more_bytes_anywhere) {
  struct Case {
    std::string_view pattern;
    std::vector<std::string_view> yes;
    std::vector<std::string_view> no;
  };
  const Case cases[] = {
      {"foo*", {"foo1", "foo", "foo*", "foobar"}, {"bar", "fo", "xfoo"}},
      {"*", {"", "*", "anything at all"}, {}},
      {"*.png", {".png", "a.png", "a.png.png"}, {"png", "a.pn", ".png/"}},
      {"bar*b", {"barab", "bar123b", "barb", "barbb"}, {"bara", "xbarb", "bar"}},
      {"foo*bar*baz", {"foo123bar456baz", "foobarbaz"}, {"foo123baz", "bar456baz", "foobazbar"}},
      {"ab*ba", {"abba", "ab-ba", "ababa"}, {"aba", "ab", "ba"}},
      {"a**b", {"ab", "a*b", "acb"}, {"a", "b"}},
      {"*a*a*", {"aa", "xaxax"}, {"a", "xax"}},
      {"*ab*abc*", {"ababc", "xabyabcz"}, {"abc", "abab"}},
  };
  for (const Case& c : cases) {
    Rules rules{domain_of({{"k", c.pattern}})};
    for (const std::string_view value : c.yes)
      EXPECT_NE(rules.ask("k=" + std::string{value}), "no limit") << c.pattern << " " << value;
    for (const std::string_view value : c.no)
      EXPECT_EQ(rules.ask("k=" + std::string{value}), "no limit") << c.pattern << " " << value;
  }
}

TEST(Match, Just_this_value_is_before_a_pattern_before_the_key_alone) {
  Rules rules{domain_of({{"k", ""}, {"k", "a*"}, {"k", "*b"}, {"k", "ab"}})};
  EXPECT_EQ(rules.ask("k=ab"), "d|k=ab 4/min");
  EXPECT_EQ(rules.ask("k=acb"), "d|k=acb 2/min");  // both patterns would do
  EXPECT_EQ(rules.ask("k=cb"), "d|k=cb 3/min");
  EXPECT_EQ(rules.ask("k=c"), "d|k=c 1/min");
  EXPECT_EQ(rules.ask("k="), "d|k= 1/min");
  EXPECT_EQ(rules.ask("k=*b"), "d|k=*b 3/min");  // as a text, it is the third rule's own
  EXPECT_EQ(rules.ask("K=ab"), "no limit");
}

TEST(Match, An_entry_is_not_compared_glued_together) {
  Rules rules{domain_of({{"a_b", "*"}, {"a", "b_c"}})};
  EXPECT_EQ(rules.ask("a=b_c"), "d|a=b_c 2/min");
  EXPECT_EQ(rules.ask("a=b_d"), "no limit");
  EXPECT_EQ(rules.ask("a_b=c"), "d|a_b=c 1/min");
}

constexpr std::string_view kTwoLevels = R"(
domain: d
descriptors:
  - key: client
    value: c1
    rate_limit: {unit: minute, requests_per_unit: 10}
    descriptors:
      - key: service
        value: s1
        rate_limit: {unit: minute, requests_per_unit: 2}
  - key: client
    descriptors:
      - key: service
        rate_limit: {unit: minute, requests_per_unit: 3}
  - key: free
)";

TEST(Match, A_limit_counts_at_the_last_entry_alone) {
  Rules rules{kTwoLevels};
  EXPECT_EQ(rules.ask("client=c1"), "d|client=c1 10/min");
  EXPECT_EQ(rules.ask("client=c1, service=s1"), "d|client=c1|service=s1 2/min");
  EXPECT_EQ(rules.ask("client=c1, service=s1, x=y"), "no limit");
  EXPECT_EQ(rules.ask("client=c2"), "no limit");
  EXPECT_EQ(rules.ask("service=s1"), "no limit");
  EXPECT_EQ(rules.ask("service=s1, client=c1"), "no limit");
  EXPECT_EQ(rules.ask("free=1"), "no limit");
}

TEST(Match, A_rule_that_is_met_hides_the_others_whatever_lies_below) {
  Rules rules{kTwoLevels};
  EXPECT_EQ(rules.ask("client=c2, service=s9"), "d|client=c2|service=s9 3/min");
  EXPECT_EQ(rules.ask("client=c1, service=s9"), "no limit");
  EXPECT_EQ(rules.ask_all({"client=c1, service=s9", "client=c1"}),
            (std::vector<std::string>{"no limit", "d|client=c1 10/min"}));
}

TEST(Match, Of_an_unknown_domain_or_no_entries_is_no_limit) {
  const Rules rules{kTwoLevels};
  rules::Match match;
  const rules::DescriptorEntry entry{"client", "c1"};
  const rules::Descriptor descriptors[] = {{.entries = {&entry, 1}}, {}};
  rules.set().match({.domain = "elsewhere", .descriptors = descriptors}, match);
  EXPECT_FALSE(match.knows_domain());
  EXPECT_TRUE(match.takes().empty());
  ASSERT_EQ(match.descriptors().size(), 2U);
  rules.set().match({.domain = "d", .descriptors = descriptors}, match);
  EXPECT_TRUE(match.knows_domain());
  EXPECT_EQ(match.takes().size(), 1U);
  EXPECT_EQ(match.descriptors()[1].outcome, Outcome::kNoLimit);
}

TEST(Match, Values_have_keys_of_their_own_unless_they_share) {
  Rules rules{R"(
domain: d
descriptors:
  - key: file
    value: a/*
    share_threshold: true
    rate_limit: {unit: minute, requests_per_unit: 1}
    descriptors:
      - key: user
        rate_limit: {unit: minute, requests_per_unit: 2}
      - key: kind
        value: "*"
        share_threshold: true
        rate_limit: {unit: minute, requests_per_unit: 3}
  - key: file
    value: b/*
    rate_limit: {unit: minute, requests_per_unit: 4}
)"};
  EXPECT_EQ(rules.ask("file=a/1"), "d|file~a/* 1/min");
  EXPECT_EQ(rules.ask("file=a/2"), "d|file~a/* 1/min");
  EXPECT_EQ(rules.ask("file=a/2, user=42"), "d|file~a/*|user=42 2/min");
  EXPECT_EQ(rules.ask("file=a/2, kind=x"), "d|file~a/*|kind~* 3/min");
  EXPECT_EQ(rules.ask("file=b/1"), "d|file=b/1 4/min");
  EXPECT_EQ(rules.ask("file=b/2"), "d|file=b/2 4/min");
}

TEST(Match, Unlimited_rules_take_nothing) {
  Rules rules{"domain: d\ndescriptors: [{key: k, rate_limit: {unlimited: true}}]\n"};
  EXPECT_EQ(rules.ask("k=1"), "unlimited");
  EXPECT_TRUE(rules.match.takes().empty());
}

constexpr std::string_view kReplacing = R"(
domain: d
descriptors:
  - key: a
    rate_limit: {limit: 1/min, name: one, replaces: [{name: two}]}
  - key: b
    rate_limit: {limit: 2/min, name: two, replaces: [{name: three}]}
  - key: c
    rate_limit: {limit: 3/min, name: three}
  - key: free
    rate_limit: {unlimited: true, replaces: [{name: one}]}
)";

TEST(Match, A_rule_drops_those_that_it_replaces_in_the_same_request) {
  Rules rules{kReplacing};
  using Answers = std::vector<std::string>;
  EXPECT_EQ(rules.ask_all({"b=1", "a=1"}), (Answers{"replaced", "d|a=1 1/min"}));
  EXPECT_EQ(rules.match.takes().size(), 1U);
  EXPECT_EQ(rules.ask_all({"b=1"}), Answers{"d|b=1 2/min"});
  EXPECT_EQ(rules.ask_all({"c=1", "b=1", "a=1"}), (Answers{"replaced", "replaced", "d|a=1 1/min"}));
  EXPECT_EQ(rules.ask_all({"free=1", "a=1", "c=2"}),
            (Answers{"unlimited", "replaced", "d|c=2 3/min"}));
}

TEST(Match, Modes_are_roles) {
  Rules rules{R"(
domain: d
descriptors:
  - {key: s, shadow_mode: true, rate_limit: {limit: 1/min}}
  - {key: q, quota_mode: true, rate_limit: {limit: 1/min}}
  - {key: b, shadow_mode: false, rate_limit: {limit: 0/min}}
)"};
  rules.ask_all({"s=1", "q=1", "b=1"});
  ASSERT_EQ(rules.match.takes().size(), 3U);
  EXPECT_EQ(rules.match.takes()[0].role, Role::kShadow);
  EXPECT_EQ(rules.match.takes()[1].role, Role::kQuota);
  EXPECT_EQ(rules.match.takes()[2].role, Role::kBinding);
  EXPECT_EQ(rules.match.takes()[2].limit.tokens(), 0U);
}

TEST(Match, Costs_are_the_descriptors_before_the_requests) {
  const Rules rules{domain_of({{"k", ""}})};
  const rules::DescriptorEntry entry{"k", "1"};
  const rules::Descriptor descriptors[] = {{.entries = {&entry, 1}},
                                           {.entries = {&entry, 1}, .cost = 0},
                                           {.entries = {&entry, 1}, .cost = 9}};
  rules::Match match;
  rules.set().match({.domain = "d", .descriptors = descriptors, .cost = 5}, match);
  ASSERT_EQ(match.takes().size(), 3U);
  EXPECT_EQ(match.takes()[0].cost, 5);
  EXPECT_EQ(match.takes()[1].cost, 0);
  EXPECT_EQ(match.takes()[2].cost, 9);
}

TEST(Match, A_limit_that_a_request_brings_needs_no_rule_but_its_domain) {
  const Rules rules{domain_of({{"k", ""}})};
  const rules::DescriptorEntry entry{"other", "1"};
  const rules::Descriptor descriptors[] = {{.entries = {&entry, 1}, .limit = "7/s"_limit},
                                           {.entries = {&entry, 1}, .limit = "70/h"_limit}};
  rules::Match match;
  rules.set().match({.domain = "d", .descriptors = descriptors}, match);
  ASSERT_EQ(match.takes().size(), 2U);
  EXPECT_EQ(match.takes()[0].key, "d|=1000000us|other=1");
  EXPECT_EQ(match.takes()[0].limit, "7/s"_limit);
  EXPECT_EQ(match.takes()[1].key, "d|=3600000000us|other=1");
  EXPECT_EQ(match.descriptors()[0].rule, nullptr);
  rules.set().match({.domain = "x", .descriptors = descriptors}, match);
  EXPECT_TRUE(match.takes().empty());
}

TEST(Match, Bytes_of_all_kinds_have_keys_of_their_own) {
  using namespace std::literals;
  const Rules rules{domain_of({{"k", ""}})};
  const std::string long_value(100'000, 'k');
  const std::string_view values[] = {"a:b",      "a|b",       "a b",
                                     "a\nb"sv,   "a\0b"sv,    "\xff\xfe",
                                     "\xc3\xa9", "e\xcc\x81", "\xf0\x9f\x98\x80",
                                     "%3A",      "{x}",       "*",
                                     "a\\|b",    "a\\b",      "",
                                     "a=b",      "a~b",       long_value};
  std::set<std::string> keys;
  for (const std::string_view value : values) {
    const rules::DescriptorEntry entry{"k", value};
    const rules::Descriptor descriptor{.entries = {&entry, 1}};
    rules::Match match;
    rules.set().match({.domain = "d", .descriptors = {&descriptor, 1}}, match);
    ASSERT_EQ(match.takes().size(), 1U);
    keys.insert(std::string{match.takes()[0].key});
  }
  EXPECT_EQ(keys.size(), std::size(values));
}

TEST(Match, Rules_are_numbered_and_named_by_their_paths) {
  const Rules rules{kTwoLevels};
  const auto& top = rules.set().domains()[0].rules;
  EXPECT_EQ(rules.set().size(), 5U);
  EXPECT_EQ(top[0].path, "d|client=c1");
  EXPECT_EQ(top[0].rules[0].path, "d|client=c1|service=s1");
  EXPECT_EQ(top[1].rules[0].path, "d|client|service");
  EXPECT_EQ(top[1].rules[0].number, 3U);
  EXPECT_EQ(top[2].number, 4U);
}

}  // namespace
}  // namespace tidegate::test
