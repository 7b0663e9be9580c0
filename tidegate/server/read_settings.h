// Settings from where they may come: a flag counts before a variable, a variable before the file,
// the file before the default.
//
//   read_settings({.flags = flags, .variable = std::getenv})
//
// Errors name the place (--threads, TIDEGATE_THREADS, or the file, line and column) and what would
// be right. Variables that are empty count as not given, and those without a setting are left
// alone: others write them too (Kubernetes, for a service of that name). Cost: that of start-up.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "tidegate/base/expected.h"
#include "tidegate/server/settings.h"

namespace tidegate::server {

struct SettingSources {
  std::map<std::string, std::string> flags = {};  // by name of the setting
  std::function<const char*(const char* name)> variable = {};
  std::optional<std::string> file = {};  // --config; without it TIDEGATE_CONFIG names one
};

Expected<Settings> read_settings(const SettingSources& sources);

}  // namespace tidegate::server
