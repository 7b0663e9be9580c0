#include "tidegate/store/redis/names.h"

#include <algorithm>

#include "tidegate/algorithm/limit_spec.h"
#include "tidegate/store/redis/script.h"

namespace tidegate::redis {
namespace {

constexpr std::string_view kReserved = "{}%";

std::string_view escape_of(char c) {
  switch (c) {
    case '{':
      return "%7B";
    case '}':
      return "%7D";
    default:
      return "%25";
  }
}

void append_escaped(std::string& out, std::string_view key) {
  while (true) {
    const std::size_t plain = std::min(key.find_first_of(kReserved), key.size());
    out.append(key.substr(0, plain));
    if (plain == key.size()) return;
    out.append(escape_of(key[plain]));
    key.remove_prefix(plain + 1);
  }
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string key;
  while (true) {
    const std::size_t plain = std::min(text.find_first_of(kReserved), text.size());
    key.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) return key;
    const auto* const found = std::find_if(kReserved.begin(), kReserved.end(), [&](char reserved) {
      return text.starts_with(escape_of(reserved));
    });
    if (found == kReserved.end()) return std::nullopt;
    key += *found;
    text.remove_prefix(escape_of(*found).size());
  }
}

std::string_view word_of(Layout layout) {
  constexpr std::string_view kWords[] = {"", "zset", "list", "counter"};
  return kWords[static_cast<std::size_t>(layout)];
}

// What a glob does not take as itself, made literal.
std::string literal(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view{"*?[]\\^"}.find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace

Names::Names(const RedisOptions& options)
    : prefix_{options.prefix},
      sliding_window_{options.sliding_window},
      fixed_window_{options.fixed_window} {}

Layout Names::in_use(Algorithm algorithm, Layout layout) const {
  if (layout != Layout::kStoresChoice) return layout;
  if (algorithm == Algorithm::kFixedWindow && fixed_window_ == FixedWindowLayout::kCounter)
    return Layout::kCounter;
  if (algorithm != Algorithm::kSlidingWindow) return Layout::kStoresChoice;
  if (sliding_window_ == SlidingWindowLayout::kZset) return Layout::kZset;
  return sliding_window_ == SlidingWindowLayout::kList ? Layout::kList : Layout::kStoresChoice;
}

void Names::append(std::string& out, Algorithm algorithm, std::string_view key,
                   Layout layout) const {
  out += prefix_;
  if (in_use(algorithm, layout) != Layout::kStoresChoice) {
    out += key;
    return;
  }
  out += '{';
  append_escaped(out, key);
  out += "}:";
  out += tidegate::name(algorithm);
}

std::string Names::name(Algorithm algorithm, std::string_view key) const {
  std::string out;
  append(out, algorithm, key);
  return out;
}

std::string_view Names::form(const Limit& limit, Layout layout) const {
  layout = in_use(limit.algorithm(), layout);
  return layout == Layout::kStoresChoice ? redis::form(limit) : word_of(layout);
}

std::string_view Names::form(Algorithm algorithm) const {
  const Layout layout = in_use(algorithm, Layout::kStoresChoice);
  return layout == Layout::kStoresChoice ? tidegate::name(algorithm) : word_of(layout);
}

std::string Names::pattern(std::string_view glob) const {
  std::string escaped;
  append_escaped(escaped, glob);
  return literal(prefix_) + "{" + escaped + "}:*";
}

std::optional<Names::Named> Names::parse(std::string_view name) const {
  if (!name.starts_with(prefix_ + "{")) return std::nullopt;
  name.remove_prefix(prefix_.size() + 1);
  const std::size_t end = name.find("}:");
  if (end == std::string_view::npos) return std::nullopt;
  std::optional<std::string> key = unescaped(name.substr(0, end));
  for (const Algorithm algorithm : kEveryAlgorithm)
    if (key && name.substr(end + 2) == tidegate::name(algorithm))
      return Named{*std::move(key), algorithm};
  return std::nullopt;
}

}  // namespace tidegate::redis
