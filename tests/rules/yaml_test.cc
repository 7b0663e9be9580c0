// The YAML reader: what it yields, and what it refuses before it costs anything.
#include "tidegate/rules/yaml.h"

#include <gtest/gtest.h>

#include <sstream>

namespace tidegate::test {
namespace {

using yaml::Kind;
using yaml::Mark;
using yaml::Node;

std::vector<Node> read(std::string_view text, const yaml::Bounds& bounds = {}) {
  auto documents = yaml::read("f.yaml", text, bounds);
  EXPECT_TRUE(documents) << documents.error().message();
  return documents ? *std::move(documents) : std::vector<Node>{};
}

std::string refusal(std::string_view text, const yaml::Bounds& bounds = {}) {
  const auto documents = yaml::read("f.yaml", text, bounds);
  return documents ? "accepted" : documents.error().message();
}

TEST(Yaml, Keeps_order_places_and_quotes) {
  const Node top = read("b: 1\na:\n  - 'x'\n  - ~\n  - {k: v}\n").at(0);
  ASSERT_EQ(top.entries.size(), 2U);
  EXPECT_EQ(top.entries[0].key.text, "b");
  EXPECT_TRUE(top.entries[0].value.plain);
  const Node& list = top.entries[1].value;
  EXPECT_EQ(top.entries[1].key.mark, (Mark{2, 1}));
  ASSERT_EQ(list.items.size(), 3U);
  EXPECT_FALSE(list.items[0].plain);
  EXPECT_EQ(list.items[0].mark, (Mark{3, 5}));
  EXPECT_TRUE(list.items[1].is_null());
  EXPECT_EQ(list.items[2].find("k")->text, "v");
  EXPECT_EQ(list.items[2].find("none"), nullptr);
}

TEST(Yaml, Tells_nothing_from_the_word_null) {
  const Node top = read("a:\nb: null\nc: 'null'\nd: ''\n").at(0);
  EXPECT_TRUE(top.find("a")->is_null());
  EXPECT_TRUE(top.find("b")->is_null());
  EXPECT_EQ(top.find("c")->text, "null");
  EXPECT_TRUE(top.find("d")->is_scalar());
}

TEST(Yaml, Reads_every_document) {
  EXPECT_EQ(read("a: 1\n---\nb: 2\n...\n---\n- c\n").size(), 3U);
  EXPECT_EQ(read("").size(), 0U);
  EXPECT_EQ(read("# a comment\n").size(), 0U);
}

TEST(Yaml, Reads_texts_without_a_last_newline) {
  EXPECT_EQ(read("a: b").at(0).find("a")->text, "b");
  EXPECT_EQ(read("a: |\n  b").at(0).find("a")->text, "b\n");
  EXPECT_EQ(read("a: 'b'").at(0).find("a")->text, "b");
}

TEST(Yaml, Reads_carriage_returns_and_a_byte_order_mark) {
  const Node top = read(
                       "\xef\xbb\xbf"
                       "a: b\r\nc: d\r\n")
                       .at(0);
  EXPECT_EQ(top.find("a")->text, "b");
  EXPECT_EQ(top.find("c")->text, "d");
}

TEST(Yaml, Copies_what_an_alias_stands_for) {
  const Node top = read("a: &x {k: [1, 2]}\nb: *x\n").at(0);
  EXPECT_EQ(top.find("b")->find("k")->items.size(), 2U);
  EXPECT_EQ(top.find("b")->mark, (Mark{1, 4}));
}

TEST(Yaml, Refuses_more_nodes_than_its_bound) {
  const yaml::Bounds bounds{.nodes = 5};
  EXPECT_EQ(refusal("[1, 2, 3, 4]", bounds), "accepted");
  EXPECT_EQ(refusal("[1, 2, 3, 4, 5]", bounds), "f.yaml:1:14: more than 5 nodes, aliases counted");
  EXPECT_EQ(refusal("[&a [1, 2], *a]", bounds), "f.yaml:1:13: more than 5 nodes, aliases counted");
}

TEST(Yaml, Refuses_more_depth_than_its_bound) {
  const yaml::Bounds bounds{.depth = 3};
  EXPECT_EQ(refusal("- - - a\n", bounds), "accepted");
  EXPECT_EQ(refusal("- - - - a\n", bounds), "f.yaml:1:7: nested deeper than 3");
  EXPECT_EQ(refusal("- &a [[1]]\n- [*a]\n", bounds), "f.yaml:2:4: nested deeper than 3");
  EXPECT_EQ(refusal("- &a [1]\n- [*a]\n", bounds), "accepted");
}

TEST(Yaml, Refuses_more_bytes_than_its_bound) {
  const yaml::Bounds bounds{.bytes = 10};
  EXPECT_EQ(refusal("0123456789", bounds), "accepted");
  EXPECT_EQ(refusal("01234567890", bounds), "f.yaml:1:1: longer than 10 bytes");
}

TEST(Yaml, Refuses_bytes_that_aliases_multiply) {
  const std::string once = "- &a " + std::string(1000, 'x') + "\n";
  std::string text = once;
  for (int i = 0; i < 8; ++i) text += "- *a\n";
  const yaml::Bounds bounds{.bytes = 5000};
  EXPECT_EQ(refusal(text, bounds), "f.yaml:1:3: its aliases repeat more than 5000 bytes");
  EXPECT_EQ(refusal(once, bounds), "accepted");
}

// A billion laughs: ten levels, each ten times the one before.
TEST(Yaml, Refuses_a_bomb_of_aliases) {
  std::string text = "- &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int level = 1; level < 10; ++level) {
    const std::string below = "*a" + std::to_string(level - 1);
    text += "- &a" + std::to_string(level) + " [" + below;
    for (int i = 1; i < 10; ++i) text += ", " + below;
    text += "]\n";
  }
  EXPECT_NE(refusal(text).find("more than 100000 nodes, aliases counted"), std::string::npos);
}

TEST(Yaml, Refuses_ten_thousand_levels) {
  const std::string deep(10'000, '[');
  EXPECT_NE(refusal(deep).find("nested deeper than 64"), std::string::npos);
  std::string blocks;
  for (std::size_t i = 0; i < 200; ++i) blocks += std::string(i, ' ') + "a:\n";
  EXPECT_NE(refusal(blocks).find("nested deeper than 64"), std::string::npos);
}

TEST(Yaml, Refuses_repeated_keys_wherever_they_stand) {
  EXPECT_EQ(refusal("a: 1\nb: 2\na: 3\n"),
            "f.yaml:3:1: \"a\" is a key of this map on line 1 already");
  EXPECT_EQ(refusal("- {a: 1, 'a': 2}\n"),
            "f.yaml:1:10: \"a\" is a key of this map on line 1 already");
  EXPECT_EQ(refusal("- a: 1\n- a: 2\n"), "accepted");
}

TEST(Yaml, Refuses_merge_keys_but_not_a_quoted_text) {
  EXPECT_NE(refusal("a: &x {b: 1}\nc: {<<: *x}\n").find("does not merge"), std::string::npos);
  EXPECT_EQ(refusal("'<<': 1\n"), "accepted");
}

TEST(Yaml, Refuses_texts_that_end_in_a_quote) {
  for (const char* text : {"a: 'b", "a: 'b\n", "a: \"b\n", "'''\n", "a: 'b\nc: d\n"})
    EXPECT_NE(refusal(text).find("a quote is not closed"), std::string::npos) << text;
}

TEST(Yaml, Refuses_bytes_that_are_no_text) {
  using namespace std::literals;
  for (const std::string_view bytes : {"\x00"sv, "\x04"sv, "\x1b"sv, "\xff"sv, "\xc0\x80"sv,
                                       "\xc3"sv, "\xed\xa0\x80"sv, "\xf4\x90\x80\x80"sv, "\x80"sv})
    EXPECT_NE(refusal("a: b" + std::string{bytes}).find("f.yaml:1:5: expected UTF-8"),
              std::string::npos);
  EXPECT_EQ(refusal("a: \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\n"), "accepted");
}

TEST(Yaml, Moves_a_text_to_where_it_was_found) {
  const auto documents = yaml::read("f.yaml", "a:\n  b: c\n", {}, {.line = 10, .column = 5});
  ASSERT_TRUE(documents);
  EXPECT_EQ(documents->at(0).find("a")->find("b")->mark, (Mark{11, 10}));
  EXPECT_EQ(yaml::read("f.yaml", "a: 1\na: 2\n", {}, {10, 5}).error().where, "f.yaml:11:5");
}

}  // namespace
}  // namespace tidegate::test
