#include "tidegate/cli/values.h"

#include <charconv>
#include <string>

#include "tidegate/algorithm/limit_grammar.h"
#include "tidegate/base/quote.h"

namespace tidegate::cli {
namespace {

std::string place(std::string_view option, std::string_view text) {
  return std::string{option} + " " + quoted(text);
}

}  // namespace

Expected<std::int64_t> read_number(std::string_view option, std::string_view text,
                                   std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure == std::errc{} && stop == end && value >= least && value <= most) return value;
  return error(place(option, text),
               "expected a whole number, " + std::to_string(least) + " to " + std::to_string(most));
}

Expected<Duration> read_pause(std::string_view option, std::string_view text) {
  if (text == "0") return Duration{0};
  const grammar::Outcome read = grammar::read_duration(text);
  if (read.problem == nullptr) return read.spec.period;
  return error(place(option, text) + ", column " + std::to_string(read.at + 1),
               std::string{read.problem} + "; for example 10ms, or 0");
}

}  // namespace tidegate::cli
