// A password in a file of its own, which keeps it out of command lines and logs.
//
// Thread safety: pure but for the file.
#pragma once

#include <string>

#include "tidegate/base/expected.h"

namespace tidegate::server {

// The first line of the file.
Expected<std::string> read_password(const std::string& path);

}  // namespace tidegate::server
