// What is wrong with a file, all of it, each with its place.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tidegate/base/expected.h"
#include "tidegate/rules/yaml.h"

namespace tidegate::rules {

struct Report {
  std::string file;  // what places begin with
  std::vector<Error> errors = {};
  std::vector<Error> warnings = {};

  std::string place(yaml::Mark mark) const { return yaml::place(file, mark); }
  void mistake(yaml::Mark mark, std::string what) {
    if (errors.size() < kMostErrors) errors.push_back({place(mark), std::move(what)});
  }
  void warn(yaml::Mark mark, std::string what) {
    if (warnings.size() < kMostErrors) warnings.push_back({place(mark), std::move(what)});
  }

 private:
  static constexpr std::size_t kMostErrors = 1000;  // nobody reads more
};

}  // namespace tidegate::rules
