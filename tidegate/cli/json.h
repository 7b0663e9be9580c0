// How decisions read for programs: one JSON object, on one line.
//
// Durations and times are whole microseconds; docs/cli.md has the table of fields. Pure functions
// that append to a string.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tidegate/algorithm/decision.h"
#include "tidegate/store/store.h"

namespace tidegate::cli {

// A JSON string of any bytes, in its quotes. UTF-8 stays as it is; a byte that belongs to no UTF-8
// sequence becomes \u00XX, an escape that no character is given, control characters apart.
void append_json_string(std::string& text, std::string_view bytes);

void append_json(std::string& text, const Take& take, const Decision& decision);

// A request of several takes: the members of the one that bound, its index, and all of them.
void append_json(std::string& text, std::span<const Take> takes, const Verdict& verdict);

}  // namespace tidegate::cli
