// A settings file: a YAML map from keys to values.
//
//   resp: [":6380", "unix:/run/tidegate.sock"]
//   max_memory: 4g
//
// Thread safety: pure but for reading the file. Errors are file:line:column.
#pragma once

#include <string>
#include <vector>

#include "tidegate/base/expected.h"

namespace tidegate::server {

struct FileSetting {
  std::string name;   // of a setting
  std::string text;   // its value; the items of a list with commas between
  std::string place;  // where the value stands
};

// Keys that are no settings are errors, with the nearest one there is.
Expected<std::vector<FileSetting>> read_settings_file(const std::string& path);

}  // namespace tidegate::server
