// Rules from YAML: all mistakes of all files at once, each with its file, line and column.
//
//   const std::string paths[] = {"limits.yaml", "/etc/tidegate/rules"};
//   const Loaded loaded = load_files(paths, {});
//   if (loaded.rules == nullptr) ...  // loaded.errors says why
//
// Reads the files of envoyproxy/ratelimit as they are (docs/rules.md), also as its xDS server dumps
// them, or inside a Kubernetes ConfigMap; and what tidegate adds. Files of one domain are merged. A
// set with a mistake is refused whole. Thread safety: pure, but for reading files. Cost: that of
// start-up; everything is bounded (yaml.h).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tidegate/algorithm/limit_spec.h"
#include "tidegate/base/expected.h"
#include "tidegate/rules/files.h"
#include "tidegate/rules/rule_set.h"

namespace tidegate::rules {

struct LoadOptions {
  Algorithm default_algorithm = Algorithm::kSlidingWindow;
};

struct Loaded {
  std::shared_ptr<const RuleSet> rules;  // none when there are errors
  std::vector<Error> errors;
  std::vector<Error> warnings;  // what may surprise
};

Loaded load(std::span<const Source> sources, const LoadOptions& options);

// Files and directories of them: see read_files.
Loaded load_files(std::span<const std::string> paths, const LoadOptions& options);

}  // namespace tidegate::rules
