// A rule: one descriptor of a rule file, what it says, and the rules below it.
//
// A plain value, immutable once it is in a RuleSet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tidegate/algorithm/limit.h"
#include "tidegate/rules/yaml.h"
#include "tidegate/store/store.h"

namespace tidegate::rules {

struct Rule {
  std::string key;
  std::string value;  // may hold `*`, each for zero or more bytes; empty: any value

  std::optional<Limit> limit = {};  // without it, and not unlimited, the rule lets its entries pass
  bool unlimited = false;           // so that others of the request may be replaced
  Role role = Role::kBinding;       // of its takes: shadow_mode and quota_mode
  std::string name = {};
  std::vector<std::string> replaces = {};  // names of rules that do not count beside this one
  bool share_threshold = false;            // all values that match take from one key
  bool detailed_metric = false;
  bool value_to_metric = false;
  OnStoreError on_store_error = OnStoreError::kStoresChoice;
  Layout layout = Layout::kStoresChoice;
  yaml::Node metadata = {};  // given back with the answer

  std::size_t number = 0;  // within its set, from 0: for counts a rule
  std::string path = {};   // `api|user=42|path`: names it in metrics, logs and messages
  std::string place = {};  // `limits.yaml:3:5`
  std::vector<Rule> rules = {};
};

// The rules for requests that name this domain, from however many files.
struct Domain {
  std::string name;
  std::vector<Rule> rules;
};

}  // namespace tidegate::rules
