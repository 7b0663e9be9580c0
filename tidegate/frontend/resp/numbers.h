// Numbers as they come in words and go into replies.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tidegate/algorithm/decision.h"
#include "tidegate/base/expected.h"
#include "tidegate/base/quote.h"

namespace tidegate::frontend {

// A decimal 64-bit number, signed, nothing around it.
inline std::optional<std::int64_t> read_integer(std::string_view word) {
  if (word.starts_with('+') && word.size() > 1 && word[1] != '-') word.remove_prefix(1);
  std::int64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, problem] = std::from_chars(word.data(), end, number);
  if (problem != std::errc{} || stop != end || word.empty()) return std::nullopt;
  return number;
}

// The same of at least `lowest`; the error calls it by its name.
inline Expected<std::int64_t> read_number(std::string_view name, std::string_view word,
                                          std::int64_t lowest) {
  const std::optional<std::int64_t> number = read_integer(word);
  if (number && *number >= lowest) return *number;
  return error(std::string{name}, "expected an integer of " + std::to_string(lowest) +
                                      " or more, not " + quoted(word));
}

// A wait in whole units of this many microseconds, rounded up; -1: never.
inline std::int64_t rounded_up(Duration wait, Duration unit) {
  if (wait == kNever) return -1;
  return (wait.count() + unit.count() - 1) / unit.count();
}

}  // namespace tidegate::frontend
