// The map `rate_limit` of a descriptor: what it says, checked, put into the rule.
//
// Thread safety: pure, but for the report.
#pragma once

#include "tidegate/algorithm/limit_spec.h"
#include "tidegate/rules/report.h"
#include "tidegate/rules/rule.h"
#include "tidegate/rules/yaml.h"

namespace tidegate::rules {

void read_rate_limit(const yaml::Node& node, Algorithm default_algorithm, Rule& into,
                     Report& report);

}  // namespace tidegate::rules
