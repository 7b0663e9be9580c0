// What commands that read rule files take besides: the default algorithm, or whose it is.
//
// Pure.
#pragma once

#include <optional>
#include <string>

#include "tidegate/base/expected.h"
#include "tidegate/cli/command.h"
#include "tidegate/rules/load.h"

namespace tidegate::cli {

struct RuleWords {
  std::optional<std::string> default_algorithm;
  std::optional<std::string> compat;
};

void declare(Arguments& arguments, RuleWords& words);

// The algorithm counts before the compatibility.
Expected<rules::LoadOptions> load_options(const RuleWords& words);

}  // namespace tidegate::cli
