// A document of a rule file: its domain and its descriptors, checked one by one.
//
// What rules must be to each other, and not only by themselves, is for load.h. Thread safety: pure,
// but for the report.
#pragma once

#include "tidegate/algorithm/limit_spec.h"
#include "tidegate/rules/report.h"
#include "tidegate/rules/rule.h"
#include "tidegate/rules/yaml.h"

namespace tidegate::rules {

Domain read_domain(const yaml::Node& document, Algorithm default_algorithm, Report& report);

}  // namespace tidegate::rules
