// What a run of `tidegate replay` is to do: its words, checked.
//
// Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tidegate/algorithm/limit.h"
#include "tidegate/base/expected.h"
#include "tidegate/replay/load.h"
#include "tidegate/replay/suggestion.h"

namespace tidegate::cli {

// What `replay` was given, as text and unchecked.
struct ReplayWords {
  std::vector<std::string> files;
  std::optional<std::string> by;
  std::vector<std::string> limits;
  std::vector<std::string> rules;
  std::optional<std::string> domain;
  std::optional<std::string> form;
  std::optional<std::string> fields;
  std::optional<std::string> cost;
  std::vector<std::string> where;
  std::optional<std::string> refused;
  std::optional<std::string> period;
  std::optional<std::string> touch;
  std::optional<std::string> deny;
  std::optional<std::string> threads;
  std::optional<std::string> html;
  bool suggest = false;
  bool json = false;
};

struct ReplayPlan {
  replay::LoadPlan load = {};
  std::vector<Limit> limits = {};
  std::vector<std::string> rules = {};  // files
  std::string domain = {};
  std::optional<replay::SuggestPlan> suggest = {};
  Duration period{0};  // that peaks are told for
  unsigned threads = 1;
  std::optional<std::string> html;
  bool json = false;
};

Expected<ReplayPlan> make_plan(const ReplayWords& words, unsigned processors);

}  // namespace tidegate::cli
