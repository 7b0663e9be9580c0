// Takes the values at given paths out of a JSON object, in one walk.
//
// Paths are written .a.b, or ."a.b".c where a key has dots; several with | between them are tried
// in turn. Strings lose their escapes, null and objects are "", of an array the first element
// counts. Thread safety: none; it keeps what the last strings were unescaped to. Cost: a look at
// each byte, strings by memchr, and for each key on the way of a path a comparison with each of
// those.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/replay/logs/json_scan.h"

namespace tidegate::replay {

// The keys of one path; nullopt if it is none.
std::optional<std::vector<std::string>> read_json_path(std::string_view path);

class JsonPaths {
 public:
  // Each a path, or several; those that are none are never found.
  explicit JsonPaths(std::span<const std::string> wanted);

  // The values in the order of the paths, valid until the next call. False if the text is no
  // object, is broken or cut off.
  bool read(std::string_view text, std::span<std::string_view> values);

 private:
  // A key on the way of a path. Where a path ends, it is the rank-th choice for its value.
  struct Node {
    std::string key;
    std::vector<Node> children;
    struct End {
      std::size_t value;
      std::size_t rank;
    };
    std::vector<End> ends;
  };
  void add(std::string_view path, std::size_t value, std::size_t rank);
  bool walk(JsonScan& scan, const Node& node, std::span<std::string_view> values);
  bool take(JsonScan& scan, const Node& node, std::span<std::string_view> values);
  void keep(const Node& node, std::string_view raw, std::span<std::string_view> values);

  Node root_;
  std::vector<std::size_t> ranks_;  // of what each value holds
  std::vector<std::string> unescaped_;
};

}  // namespace tidegate::replay
