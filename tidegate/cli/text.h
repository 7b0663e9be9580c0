// How decisions read for people: `allowed remaining=4`, `denied retry_after=59.9s`.
//
// Pure functions that append to a string, so that a line costs no allocation once the string has
// grown.
#pragma once

#include <charconv>
#include <concepts>
#include <span>
#include <string>
#include <string_view>

#include "tidegate/algorithm/decision.h"
#include "tidegate/base/time.h"
#include "tidegate/store/store.h"

namespace tidegate::cli {

void append_number(std::string& text, std::integral auto number) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

// Rounded up, so that who waits so long has waited enough: whole microseconds below 1 ms, whole
// milliseconds below 1 s, tenths of a second from there on; `never` for kNever. Requires wait >= 0.
void append_duration(std::string& text, Duration wait);

// Bytes that a reader could not tell from the rest of the line put the key in quotes, as JSON does.
void append_key(std::string& text, std::string_view key);

void append_text(std::string& text, const Decision& decision);

// A request of several takes: the one that bound, and its key.
void append_text(std::string& text, std::span<const Take> takes, const Verdict& verdict);

}  // namespace tidegate::cli
