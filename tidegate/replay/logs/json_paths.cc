#include "tidegate/replay/logs/json_paths.h"

#include <algorithm>
#include <limits>

namespace tidegate::replay {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kNoRank = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kMaxDepth = 16;

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

bool read_value(JsonScan& scan, std::string_view& raw) {
  const char first = scan.peek();
  if (!scan.value(raw)) return false;
  if (first == '{' || (first == 'n' && raw == "null")) raw = {};
  if (first != '[') return true;
  JsonScan within{raw.substr(1, raw.size() - 2)};
  const bool nested = within.peek() == '{' || within.peek() == '[';
  if (nested || !within.value(raw)) raw = {};
  return true;
}

}  // namespace

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

JsonPaths::JsonPaths(std::span<const std::string> wanted)
    : ranks_(wanted.size()), unescaped_(wanted.size()) {
  for (std::size_t value = 0; value < wanted.size(); ++value) {
    std::string_view paths = wanted[value];
    for (std::size_t rank = 0; !paths.empty(); ++rank) {
      const std::string_view path = paths.substr(0, paths.find('|'));
      add(path, value, rank);
      paths.remove_prefix(std::min(path.size() + 1, paths.size()));
    }
  }
}

void JsonPaths::add(std::string_view path, std::size_t value, std::size_t rank) {
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
  node->ends.push_back({value, rank});
}

void JsonPaths::keep(const Node& node, std::string_view raw, std::span<std::string_view> values) {
  for (const auto& [value, rank] : node.ends) {
    if (rank > ranks_[value] || raw.empty()) continue;
    values[value] = unescaped(raw, unescaped_[value]);
    ranks_[value] = rank;
  }
}

bool JsonPaths::take(JsonScan& scan, const Node& node, std::span<std::string_view> values) {
  if (!node.children.empty() && scan.peek() == '{') return walk(scan, node, values);
  std::string_view raw;
  if (!read_value(scan, raw)) return false;
  keep(node, raw, values);
  return true;
}

// An object. No deeper than the deepest path: what lies below is stepped over as one value.
bool JsonPaths::walk(JsonScan& scan, const Node& node, std::span<std::string_view> values) {
  if (!scan.take('{')) return false;
  if (scan.take('}')) return true;
  do {
    std::string_view key;
    if (!scan.string(key) || !scan.take(':')) return false;
    const auto child = std::find_if(node.children.begin(), node.children.end(),
                                    [&](const Node& one) { return one.key == key; });
    if (!(child == node.children.end() ? scan.skip() : take(scan, *child, values))) return false;
  } while (scan.take(','));
  return scan.take('}');
}

bool JsonPaths::read(std::string_view text, std::span<std::string_view> values) {
  std::fill(values.begin(), values.end(), std::string_view{});
  std::fill(ranks_.begin(), ranks_.end(), kNoRank);
  JsonScan scan{text};
  return walk(scan, root_, values) && scan.at_end();
}

}  // namespace tidegate::replay
