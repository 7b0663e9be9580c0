// Rule files inside of a Kubernetes ConfigMap.
//
// Thread safety: pure, but for the report.
#pragma once

#include <string_view>
#include <vector>

#include "tidegate/rules/report.h"
#include "tidegate/rules/yaml.h"

namespace tidegate::rules {

// Whether a document is an object of Kubernetes.
bool is_kubernetes(const yaml::Node& document);

// A document of a file in the ConfigMap, and what its places begin with.
struct Inner {
  std::string file;
  yaml::Node document;
};

// The documents in the *.yaml and *.yml entries of a ConfigMap. Places in a literal block (`|`)
// are those in `text`, which holds the ConfigMap; elsewhere they count from the entry's beginning.
std::vector<Inner> open_config_map(const yaml::Node& document, std::string_view text,
                                   Report& report);

}  // namespace tidegate::rules
