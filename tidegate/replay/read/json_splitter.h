// Takes the values at wanted paths out of a line of JSON, in one walk.
//
// Paths are written .a.b, ."a.b".c where a key has dots; several with | between them are tried in
// turn. Thread safety: none. Cost: a look at each byte of the line, and for each key on the way of
// a wanted path a comparison with each of those.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/replay/read/form.h"
#include "tidegate/replay/read/json_scan.h"

namespace tidegate::replay {

// The keys of a path; nullopt if it is none.
std::optional<std::vector<std::string>> read_json_path(std::string_view path);

// 2025-12-31T17:37:40.493035218+01:00 stdout F {...}: what follows the words of the container's
// runtime.
std::string_view without_cri_prefix(std::string_view line);

class JsonSplitter : public Splitter {
 public:
  JsonSplitter(const Form& form, std::span<const Column> needed);

  Problem split(std::string_view line, std::span<std::string_view> columns) override;

 protected:
  void clear(std::span<std::string_view> columns);

 private:
  // A key on the way of a path. Where a path ends, it is the rank-th choice for its column.
  struct Node {
    std::string key;
    std::vector<Node> children;
    struct End {
      Column column;
      std::size_t rank;
    };
    std::vector<End> ends;
  };
  void add(std::string_view path, Column column, std::size_t rank);
  bool walk(JsonScan& scan, const Node& node, std::span<std::string_view> columns);
  bool take_value(JsonScan& scan, const Node& node, std::span<std::string_view> columns);
  void keep(const Node& node, std::string_view raw, std::span<std::string_view> columns);

  Node root_;
  std::vector<Column> needed_;
  std::vector<std::size_t> ranks_;      // of the value that each column holds
  std::vector<std::string> unescaped_;  // what views of strings with escapes view
};

}  // namespace tidegate::replay
