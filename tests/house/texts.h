// What every text of the project must look like: headers open with what they are, nothing is left
// to do, the Makefile explains itself.
//
// Thread safety: pure functions. Cost: one pass over the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/house/tree.h"

namespace tidegate::house {

// A header opens with a paragraph of comment, then `#pragma once`, before any other code.
Findings header_findings(const File& header);

// Marks of work put off.
Findings leftover_findings(const File& file);

// Functions of more lines than a reader can hold.
inline constexpr std::size_t kMaxFunctionLines = 70;
Findings length_findings(const File& file);

struct Goal {
  std::string name;
  std::string help;  // after `##`; empty when there is none

  bool operator==(const Goal&) const = default;
};

// The goals of a Makefile, `name: needs ## help`, in order; special ones (.PHONY) left out.
std::vector<Goal> goals_of(std::string_view makefile);

}  // namespace tidegate::house
