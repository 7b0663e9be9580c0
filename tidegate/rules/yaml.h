// YAML as a plain tree in which everything knows its line and column.
//
//   Expected<std::vector<yaml::Node>> documents = yaml::read("limits.yaml", text);
//
// Guarded: bounded in bytes, nodes and depth, where an alias counts as the copy that it is; refuses
// repeated keys, merge keys (`<<`), keys that are no scalars, foreign tags, and bytes that are not
// UTF-8. No other file sees the library behind it. Errors are `file:line:column`. Thread safety:
// pure. Cost: one pass over the text, a copy for each alias.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/base/expected.h"

namespace tidegate::yaml {

// A place in a text; both count from 1, columns in bytes.
struct Mark {
  std::size_t line = 1;
  std::size_t column = 1;

  bool operator==(const Mark&) const = default;
};

enum class Kind : std::uint8_t { kNull, kScalar, kList, kMap };

struct Entry;

struct Node {
  Kind kind = Kind::kNull;
  bool plain = true;  // a scalar without quotes, which may mean a number or a truth value
  Mark mark = {};
  std::string text = {};         // of a scalar
  std::vector<Node> items = {};  // of a list
  std::vector<Entry> entries;    // of a map, in the order of the file

  bool is_null() const { return kind == Kind::kNull; }
  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_map() const { return kind == Kind::kMap; }

  // The value of a map's key; null when there is none. Linear.
  const Node* find(std::string_view key) const;
};

struct Entry {
  Node key;  // a scalar
  Node value;
};

struct Bounds {
  std::size_t bytes = std::size_t{8} << 20;
  std::size_t nodes = 100'000;  // keys too
  std::size_t depth = 64;
};

// Every document of a text that says something; none when it is empty. A text that was found inside
// of another begins at `origin` there, and each of its lines in that column.
Expected<std::vector<Node>> read(std::string_view file, std::string_view text,
                                 const Bounds& bounds = {}, Mark origin = {});

// `limits.yaml:3:7`, the place that an error names.
std::string place(std::string_view file, Mark mark);

// `a map`, `a list`, `"text"` or `nothing`, for messages about what stands where it should not.
std::string describe(const Node& node);

}  // namespace tidegate::yaml
