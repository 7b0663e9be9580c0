// How rules read for people and for programs.
//
// Pure functions that append to a string.
#pragma once

#include <string>

#include "tidegate/rules/load.h"

namespace tidegate::cli {

// A tree: a line for each domain, and one for each rule, indented below the one it belongs to.
void append_tree(std::string& text, const rules::RuleSet& rules);

// One object: whether all is well, every error and warning with its place, and the rules.
void append_json(std::string& text, const rules::Loaded& loaded);

// `5/min`, `unlimited` or `no limit`.
std::string limit_text(const rules::Rule& rule);

}  // namespace tidegate::cli
