// The texts of rule files.
//
// Thread safety: reads files, nothing else. Cost: a copy of each, which is bounded.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tidegate/base/expected.h"

namespace tidegate::rules {

// A text and the name that errors call it by.
struct Source {
  std::string name;
  std::string text;
};

// The text of a file of at most `most` bytes.
Expected<std::string> read_file(const std::string& path, std::size_t most);

// Each path is a file, or a directory of which all *.yaml and *.yml files that are no dot files are
// read in the order of their names. What cannot be read is in `errors`, and left out.
std::vector<Source> read_files(std::span<const std::string> paths, std::vector<Error>& errors);

}  // namespace tidegate::rules
