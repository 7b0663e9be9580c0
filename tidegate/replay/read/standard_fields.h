// The fields that every log has under one name or another, and the names that they go by: what
// makes `client` of nginx's remote_addr, of a JSON key client_ip and of a CSV column "IP".
//
// Constants and pure functions. Cost: nothing is done for each line.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/replay/read/form.h"

namespace tidegate::replay {

// What one column of a log gives.
struct StandardColumn {
  std::string_view names;  // words, the most telling first
  struct Made {
    std::string_view field;
    Shape shape;
  };
  std::array<Made, 3> makes;
};

enum StandardIndex : Column {
  kTime,
  kClient,
  kHost,
  kMethod,
  kTarget,
  kProtocol,
  kStatus,
  kBytes,
  kAgent,
  kReferer,
  kUser,
  kForwarded,
  kStandardColumns
};

const std::array<StandardColumn, kStandardColumns>& standard_columns();

// The column of the field of this name, and how it is shaped; nullptr if there is none.
const StandardColumn* standard_column_of(std::string_view field);

// The fields of columns that have these names, beginning with column `first`. Names that are known
// give the standard fields, and every name gives a field of its own. Letter case does not matter.
std::vector<Field> fields_of_names(std::span<const std::string> names, Column first);

// The index of the first of the words that is among the names, or the number of names.
std::size_t find_name(std::span<const std::string> names, std::string_view words);

}  // namespace tidegate::replay
