// The arrows between the folders, and what the outside may be included where: read from `#include`
// lines, since a linker sees neither headers nor folders.
//
// Thread safety: pure functions. Cost: one pass over the text.
#pragma once

#include <string_view>

#include "tests/house/tree.h"

namespace tidegate::house {

// The part of the tree that a file belongs to: `tidegate/store/redis/x.cc` is of "store/redis",
// `tidegate/limiter.h` of "limiter".
std::string_view part_of(std::string_view path);

// Includes of the project's own files against the table of arrows.
Findings arrow_findings(const File& file);

// Includes of others' headers against the budget: what is dear to compile, or not wanted by those
// who link the library alone, stays where it belongs.
Findings budget_findings(const File& file);

}  // namespace tidegate::house
