#include "tidegate/replay/read/json_splitter.h"

#include <algorithm>
#include <limits>

namespace tidegate::replay {
namespace {

constexpr std::size_t kNoRank = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kMaxDepth = 16;
constexpr std::size_t kNone = std::string_view::npos;

// The key behind a dot, in quotes or up to the next dot; "" if there is none.
std::string_view take_key(std::string_view& path) {
  path.remove_prefix(1);
  const bool in_quotes = path.starts_with('"');
  if (in_quotes) path.remove_prefix(1);
  const std::size_t end = path.find(in_quotes ? '"' : '.');
  if (in_quotes && end == kNone) return {};
  const std::string_view key = path.substr(0, end);
  path.remove_prefix(key.size() + (in_quotes ? 1 : 0));
  return key;
}

// Of an array the first element.
bool read_value(JsonScan& scan, std::string_view& raw) {
  const char first = scan.peek();
  if (!scan.value(raw)) return false;
  if (first == 'n' && raw == "null") raw = {};
  if (first != '[') return true;
  JsonScan within{raw.substr(1, raw.size() - 2)};
  if (!within.value(raw)) raw = {};
  return true;
}

}  // namespace

std::string_view without_cri_prefix(std::string_view line) {
  if (line.empty() || line.front() < '0' || line.front() > '9') return line;
  for (const std::string_view mark : {" stdout F ", " stderr F "})
    if (const std::size_t at = line.substr(0, 64).find(mark); at != kNone)
      return line.substr(at + mark.size());
  return line;
}

std::optional<std::vector<std::string>> read_json_path(std::string_view path) {
  std::vector<std::string> keys;
  while (path.starts_with('.') && keys.size() < kMaxDepth) {
    const std::string_view key = take_key(path);
    if (key.empty()) return std::nullopt;
    keys.emplace_back(key);
  }
  if (keys.empty() || !path.empty()) return std::nullopt;
  return keys;
}

JsonSplitter::JsonSplitter(const Form& form, std::span<const Column> needed)
    : needed_{needed.begin(), needed.end()},
      ranks_(form.columns.size()),
      unescaped_(form.columns.size()) {
  for (const Column column : needed_) {
    std::string_view paths = form.columns[column];
    for (std::size_t rank = 0; !paths.empty(); ++rank) {
      const std::string_view path = paths.substr(0, paths.find('|'));
      add(path, column, rank);
      paths.remove_prefix(std::min(path.size() + 1, paths.size()));
    }
  }
}

void JsonSplitter::add(std::string_view path, Column column, std::size_t rank) {
  const auto keys = read_json_path(path);
  if (!keys) return;
  Node* node = &root_;
  for (const std::string& key : *keys) {
    auto found = std::find_if(node->children.begin(), node->children.end(),
                              [&](const Node& child) { return child.key == key; });
    if (found == node->children.end())
      found = node->children.insert(found, Node{.key = key, .children = {}, .ends = {}});
    node = &*found;
  }
  node->ends.push_back({column, rank});
}

void JsonSplitter::keep(const Node& node, std::string_view raw,
                        std::span<std::string_view> columns) {
  for (const auto& [column, rank] : node.ends) {
    if (rank > ranks_[column] || raw.empty()) continue;
    columns[column] = unescaped(raw, unescaped_[column]);
    ranks_[column] = rank;
  }
}

bool JsonSplitter::take_value(JsonScan& scan, const Node& node,
                              std::span<std::string_view> columns) {
  if (!node.children.empty() && scan.peek() == '{') return walk(scan, node, columns);
  std::string_view raw;
  if (!read_value(scan, raw)) return false;
  keep(node, raw, columns);
  return true;
}

// An object. As deep as the deepest path: what lies deeper is stepped over as one value.
bool JsonSplitter::walk(JsonScan& scan, const Node& node, std::span<std::string_view> columns) {
  if (!scan.take('{')) return false;
  if (scan.take('}')) return true;
  do {
    std::string_view key;
    if (!scan.string(key) || !scan.take(':')) return false;
    const auto child = std::find_if(node.children.begin(), node.children.end(),
                                    [&](const Node& one) { return one.key == key; });
    if (!(child == node.children.end() ? scan.skip() : take_value(scan, *child, columns)))
      return false;
  } while (scan.take(','));
  return scan.take('}');
}

void JsonSplitter::clear(std::span<std::string_view> columns) {
  for (const Column column : needed_) {
    columns[column] = {};
    ranks_[column] = kNoRank;
  }
}

Problem JsonSplitter::split(std::string_view line, std::span<std::string_view> columns) {
  clear(columns);
  JsonScan scan{without_cri_prefix(line)};
  if (scan.peek() != '{') return "it is no JSON object";
  if (!walk(scan, root_, columns)) return "its JSON is broken or cut off";
  if (!scan.at_end()) return "something follows its JSON object";
  return nullptr;
}

}  // namespace tidegate::replay
