// The request that `tidegate explain` is asked about: `api user=42 path=/x ; client=10.1.2.3`.
//
// Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/base/expected.h"
#include "tidegate/rules/descriptor.h"

namespace tidegate::cli {

// A domain and, behind it, descriptors; `;` stands between two of them.
struct ExplainRequest {
  std::string_view domain;
  std::vector<std::vector<rules::DescriptorEntry>> descriptors;
};

// The request points into the words. One word with blanks is taken apart; of several, each is an
// entry, so that a value may hold blanks.
Expected<ExplainRequest> read_request(std::span<const std::string> words);

}  // namespace tidegate::cli
