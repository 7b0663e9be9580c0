#include "tidegate/server/setting_values.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "tidegate/algorithm/limit_grammar.h"

namespace tidegate::server {
namespace {

std::optional<std::uint64_t> read_digits(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || stop != end) return std::nullopt;
  return value;
}

// The power of two that a letter stands for.
std::optional<unsigned> shift_of(char unit) {
  constexpr std::string_view kUnits = "kmgt";
  const std::size_t at = kUnits.find(grammar::lower(unit));
  if (at == std::string_view::npos) return std::nullopt;
  return 10 * static_cast<unsigned>(at + 1);
}

std::string in_column(std::size_t at, const char* problem) {
  return "column " + std::to_string(at + 1) + ": " + problem;
}

}  // namespace

Value<std::uint64_t> read_count(std::string_view text, std::uint64_t least, std::uint64_t most) {
  const auto value = read_digits(text);
  if (value && *value >= least && *value <= most) return *value;
  return tl::unexpected{"expected a whole number, " + std::to_string(least) + " to " +
                        std::to_string(most)};
}

Value<std::uint64_t> read_size(std::string_view text) {
  const auto shift = text.empty() ? std::nullopt : shift_of(text.back());
  const auto value = read_digits(shift ? text.substr(0, text.size() - 1) : text);
  if (value && *value <= std::numeric_limits<std::uint64_t>::max() >> shift.value_or(0))
    return *value << shift.value_or(0);
  return tl::unexpected{std::string{"expected bytes, as in 1g, 512m or 64k, or 0"}};
}

Value<Duration> read_time(std::string_view text) {
  if (text == "0") return Duration{0};
  const grammar::Outcome read = grammar::read_duration(text);
  if (read.problem == nullptr) return read.spec.period;
  return tl::unexpected{in_column(read.at, read.problem) + "; for example 10s, or 0"};
}

Value<Limit> read_limit(std::string_view text) {
  if (const auto limit = Limit::parse(text)) return *limit;
  const grammar::Outcome read = grammar::read_limit(text);
  return tl::unexpected{in_column(read.at, read.problem) + "; for example 10/s, or 0/s for none"};
}

Value<std::vector<net::Address>> read_addresses(std::string_view text) {
  std::vector<net::Address> addresses;
  if (text == "none") return addresses;
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    const auto address = net::Address::parse(text.substr(0, end));
    if (!address) return tl::unexpected{address.error().what};
    addresses.push_back(*address);
    if (end == text.size()) return addresses;
    text.remove_prefix(end + 1);
  }
}

}  // namespace tidegate::server
