// How decisions read for programs: one JSON object, on one line.
//
// Durations and times are whole microseconds; docs/cli.md has the table of fields. Pure functions
// that append to a string.
#pragma once

#include <span>
#include <string>

#include "tidegate/algorithm/decision.h"
#include "tidegate/store/store.h"

namespace tidegate::cli {

void append_json(std::string& text, const Take& take, const Decision& decision);

// A request of several takes: the members of the one that bound, its index, and all of them.
void append_json(std::string& text, std::span<const Take> takes, const Verdict& verdict);

}  // namespace tidegate::cli
