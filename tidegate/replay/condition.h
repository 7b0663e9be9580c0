// `--where FIELD OP VALUE`: which lines take part. `status!=429`, `path~/api/`, `bytes>1000`.
//
// Pure. Two numbers are compared as numbers, anything else as bytes; ~ is "contains".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tidegate/base/expected.h"

namespace tidegate::replay {

struct Condition {
  enum class Op { kEqual, kNot, kLess, kLessOrEqual, kMore, kMoreOrEqual, kContains };

  std::string field;
  Op op;
  std::string value;
  std::optional<double> number;  // the value, when it is one

  static Expected<Condition> parse(std::string_view text);

  bool holds(std::string_view value_of_line) const;
};

}  // namespace tidegate::replay
