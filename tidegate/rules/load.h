// Rules from YAML: all mistakes of all files at once, each with its file, line and column.
//
//   const auto rules = load_files({"limits.yaml", "/etc/tidegate/rules"}, {});
//   if (!rules.problems.empty()) ...
//
// Reads the files of envoyproxy/ratelimit as they are (docs/rules.md), also as its xDS server dumps
// them, or inside a Kubernetes ConfigMap; and what tidegate adds. Files of one domain are merged. A
// set with a mistake is refused whole. Thread safety: pure, but for reading files. Cost: that of
// start-up; everything is bounded (yaml.h).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tidegate/algorithm/limit_spec.h"
#include "tidegate/base/expected.h"
#include "tidegate/rules/rule_set.h"

namespace tidegate::rules {

struct LoadOptions {
  Algorithm default_algorithm = Algorithm::kSlidingWindow;
};

// A text and the name that errors call it by.
struct Source {
  std::string name;
  std::string text;
};

struct Loaded {
  std::shared_ptr<const RuleSet> rules;  // none when there are errors
  std::vector<Error> errors;
  std::vector<Error> warnings;  // what may surprise
};

Loaded load(std::span<const Source> sources, const LoadOptions& options);

// Each path is a file, or a directory of which all *.yaml and *.yml files that are no dot files are
// read in the order of their names.
Loaded load_files(std::span<const std::string> paths, const LoadOptions& options);

}  // namespace tidegate::rules
