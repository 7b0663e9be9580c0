// `--fields time=.ts,client=.ip`: names of fields, and where a line has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tidegate/base/expected.h"

namespace tidegate::replay {

struct NamedColumn {
  std::string name;
  std::string place;  // a path of JSON, `.a.b`; a column of CSV
};

Expected<std::vector<NamedColumn>> read_named_columns(std::string_view text);

}  // namespace tidegate::replay
