// A small file, read whole: settings, a password.
//
// Thread safety: pure but for the file.
#pragma once

#include <cstddef>
#include <string>

#include "tidegate/base/expected.h"

namespace tidegate::server {

// Its bytes; an error above so many of them, or when it cannot be read.
Expected<std::string> read_whole_file(const std::string& path, std::size_t most);

}  // namespace tidegate::server
