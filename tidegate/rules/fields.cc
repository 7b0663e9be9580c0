#include "tidegate/rules/fields.h"

#include <algorithm>

#include "tidegate/algorithm/limit_grammar.h"

namespace tidegate::rules {
namespace {

constexpr std::size_t kMaxTextBytes = 4096;

// Where each key belongs, for those that stand elsewhere.
struct Home {
  std::string_view key;
  std::string_view place;
};
constexpr Home kHomes[] = {
    {"domain", "stands at the top of the file"},
    {"key", "belongs in a descriptor"},
    {"value", "belongs in a descriptor"},
    {"rate_limit", "belongs in a descriptor"},
    {"descriptors", "belongs at the top of the file, or in a descriptor"},
    {"shadow_mode", "belongs in a descriptor, beside rate_limit"},
    {"quota_mode", "belongs in a descriptor, beside rate_limit"},
    {"detailed_metric", "belongs in a descriptor, beside rate_limit"},
    {"value_to_metric", "belongs in a descriptor, beside rate_limit"},
    {"share_threshold", "belongs in a descriptor, beside rate_limit"},
    {"metadata", "belongs in a descriptor, beside rate_limit"},
    {"unit", "belongs in rate_limit"},
    {"requests_per_unit", "belongs in rate_limit"},
    {"unlimited", "belongs in rate_limit"},
    {"name", "belongs in rate_limit"},
    {"replaces", "belongs in rate_limit"},
    {"limit", "belongs in rate_limit"},
    {"algorithm", "belongs in rate_limit"},
    {"burst", "belongs in rate_limit"},
    {"period", "belongs in rate_limit"},
    {"refill", "belongs in rate_limit"},
    {"precision", "belongs in rate_limit"},
    {"on_store_error", "belongs in rate_limit"},
    {"layout", "belongs in rate_limit"},
};

std::string_view home_of(std::string_view key) {
  const auto* found = std::find_if(std::begin(kHomes), std::end(kHomes),
                                   [&](const Home& home) { return home.key == key; });
  return found == std::end(kHomes) ? std::string_view{} : found->place;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return grammar::same(text, word); });
}

}  // namespace

std::string unknown_key(std::string_view key, std::span<const std::string_view> known) {
  const std::string_view home = home_of(key);
  if (!home.empty()) return quoted(key) + " " + std::string{home};
  return "unknown key " + quoted(key) + "; " + expected_one_of(key, known);
}

std::span<const yaml::Node> items(const yaml::Node& list, std::string_view what, Report& report) {
  if (list.is_list()) return list.items;
  report.mistake(list.mark, "expected " + std::string{what} + ", found " + yaml::describe(list));
  return {};
}

void read_text(const yaml::Node& node, std::string& into, Report& report) {
  if (!node.is_scalar())
    return report.mistake(node.mark, "expected a text, found " + yaml::describe(node));
  if (node.text.size() > kMaxTextBytes)
    return report.mistake(node.mark, "expected at most " + std::to_string(kMaxTextBytes) +
                                         " bytes, found " + std::to_string(node.text.size()));
  into = node.text;
}

void read_truth(const yaml::Node& node, bool& into, Report& report) {
  const bool scalar = node.is_scalar() && node.plain;
  if (scalar && is_one_of(node.text, {"true", "yes", "on", "y"})) {
    into = true;
  } else if (scalar && is_one_of(node.text, {"false", "no", "off", "n"})) {
    into = false;
  } else {
    report.mistake(node.mark, "expected true or false, found " + yaml::describe(node));
  }
}

}  // namespace tidegate::rules
