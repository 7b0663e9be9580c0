#include "tests/house/includes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <regex>
#include <span>

namespace tidegate::house {
namespace {

// What each part of the tree sees besides itself; ARCHITECTURE.md draws it.
struct Arrow {
  std::string_view part;
  std::string_view sees;
};
constexpr Arrow kArrows[] = {
    {"base", ""},
    {"wire", "base"},
    {"net", "base"},
    {"algorithm", "base"},
    {"store", "algorithm base"},
    {"store/redis", "store algorithm base wire net"},
    {"rules", "store algorithm base"},
    {"limiter", "rules store algorithm base"},
    {"bucket", "rules store algorithm base"},
    {"frontend", "limiter bucket rules store algorithm base wire"},
    {"middleware", "limiter bucket rules store algorithm base"},
    {"asio", "limiter bucket rules store algorithm base"},
    {"server",
     "frontend middleware asio limiter bucket rules store store/redis algorithm base net"},
    {"replay", "frontend middleware asio limiter bucket rules store algorithm base"},
    {"cli",
     "server replay frontend middleware asio limiter bucket rules store store/redis algorithm base "
     "wire net"},
};

bool has_word(std::string_view words, std::string_view word) {
  const std::string padded = " " + std::string{words} + " ";
  return padded.find(" " + std::string{word} + " ") != std::string::npos;
}

struct Include {
  std::size_t line;
  bool quoted;  // "..." and not <...>
  std::string header;
};

std::vector<Include> includes_of(std::string_view text) {
  static const std::regex directive{R"(^\s*#\s*include\s*(["<])([^">]+)[">].*)"};
  std::vector<Include> includes;
  const std::vector<std::string_view> lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::cmatch match;
    if (std::regex_match(lines[i].data(), lines[i].data() + lines[i].size(), match, directive))
      includes.push_back({i + 1, match[1] == "\"", match[2]});
  }
  return includes;
}

const Arrow* arrow_of(std::string_view part) {
  const auto* found = std::find_if(std::begin(kArrows), std::end(kArrows),
                                   [&](const Arrow& arrow) { return arrow.part == part; });
  return found == std::end(kArrows) ? nullptr : found;
}

// What is wrong with the project's own header being included from a part.
std::optional<std::string> arrow_problem(const Arrow& from, std::string_view header) {
  if (!header.starts_with("tidegate/"))
    return "\"" + std::string{header} + "\" is not of the project: write tidegate/..., or <...>";
  const std::string_view to = part_of(header);
  if (to == from.part || has_word(from.sees, to)) return std::nullopt;
  return std::string{from.part} + " may not see " + std::string{to} +
         "; it sees: " + (from.sees.empty() ? "nothing" : std::string{from.sees});
}

bool is_header(std::string_view path) {
  return path.ends_with(".h");
}

// Parts that a service links with nothing but the standard library, tl::expected and xxhash.
bool in_library(std::string_view path) {
  return path == "tidegate/middleware/guard.h" || path.starts_with("tidegate/store/memory/") ||
         path.starts_with("tidegate/base/") || path.starts_with("tidegate/algorithm/") ||
         has_word("limiter bucket", part_of(path));
}

bool standard(std::string_view header) {
  return header.find('.') == std::string_view::npos ||
         (header.ends_with(".h") && header.find('/') == std::string_view::npos) ||
         header.starts_with("sys/") || header.starts_with("linux/");
}

// One line of the budget: headers of which the path must begin so may be included from where.
struct Allowance {
  std::string_view prefixes;  // a list of words
  std::function<bool(std::string_view path)> allowed_in;
  std::string_view reason;
};

bool sees_asio(std::string_view path) {
  return has_word("net store/redis server asio", part_of(path));
}

const Allowance kBudget[] = {
    {"boost/asio asio.hpp asio/", sees_asio,
     "Asio is for net/, store/redis/, server/ and asio.h: 9 s of compiling"},
    {"boost/beast",
     [](std::string_view path) {
       return !is_header(path) || path == "tidegate/middleware/beast.h";
     },
     "Beast is for .cc files: 17 s of compiling"},
    {"CLI/", [](std::string_view path) { return !is_header(path); },
     "CLI11 is for .cc files: 10 s of compiling"},
    {"spdlog/", [](std::string_view path) { return !is_header(path); },
     "spdlog is for .cc files: 11 s of compiling"},
    {"grpc/ grpcpp/ grpc++/",
     [](std::string_view path) { return !is_header(path) || path == "tidegate/middleware/grpc.h"; },
     "gRPC is for .cc files: 6 s of compiling"},
    {"google/protobuf/ envoy/",
     [](std::string_view path) {
       return !is_header(path) && path.starts_with("tidegate/frontend/");
     },
     "protobuf is for .cc files of frontend/: 3 s of compiling"},
    {"prometheus/", [](std::string_view path) { return !is_header(path); },
     "prometheus-cpp is for .cc files"},
    {"yaml-cpp/", [](std::string_view path) { return path.starts_with("tidegate/rules/yaml"); },
     "yaml-cpp is for rules/yaml*: nothing else knows what rules are written in"},
    {"xxhash.h xxh3.h",
     [](std::string_view path) { return path.starts_with("tidegate/store/memory/"); },
     "xxhash is for store/memory/: identity is the store's own affair"},
};

bool begins_with_one_of(std::string_view header, std::string_view prefixes) {
  while (!prefixes.empty()) {
    const std::size_t end = std::min(prefixes.find(' '), prefixes.size());
    if (header.starts_with(prefixes.substr(0, end))) return true;
    prefixes.remove_prefix(std::min(end + 1, prefixes.size()));
  }
  return false;
}

std::optional<std::string> budget_problem(std::string_view path, std::string_view header) {
  for (const Allowance& allowance : kBudget) {
    if (!begins_with_one_of(header, allowance.prefixes)) continue;
    if (!allowance.allowed_in(path)) return std::string{allowance.reason};
    return std::nullopt;
  }
  if (!in_library(path) || standard(header) || header == "tl/expected.hpp") return std::nullopt;
  return "the library alone needs the standard library, tl::expected and xxhash, not " +
         std::string{header};
}

}  // namespace

std::string_view part_of(std::string_view path) {
  if (path.starts_with("tidegate/")) path.remove_prefix(std::string_view{"tidegate/"}.size());
  if (path.starts_with("store/redis/"))
    return path.substr(0, std::string_view{"store/redis"}.size());
  return path.substr(0, path.find_first_of("/."));
}

Findings arrow_findings(const File& file) {
  const Arrow* from = arrow_of(part_of(file.path));
  if (from == nullptr) return {finding(file.path, 1, "not in the table of arrows; add it there")};
  Findings findings;
  for (const Include& include : includes_of(file.text)) {
    if (!include.quoted) continue;
    if (const auto problem = arrow_problem(*from, include.header))
      findings.push_back(finding(file.path, include.line, *problem));
  }
  return findings;
}

Findings budget_findings(const File& file) {
  Findings findings;
  for (const Include& include : includes_of(file.text)) {
    if (include.quoted) continue;
    if (const auto problem = budget_problem(file.path, include.header))
      findings.push_back(finding(file.path, include.line, *problem));
  }
  return findings;
}

}  // namespace tidegate::house
