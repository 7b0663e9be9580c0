// Every setting once: `max-memory` is the flag --max-memory, the variable TIDEGATE_MAX_MEMORY and,
// in a settings file, the key max_memory.
//
// Constant; safe to share.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tidegate/server/settings.h"

namespace tidegate::server {

struct Setting {
  std::string_view name;
  std::string_view value;     // what stands for its value in a help text
  std::string_view standard;  // the default, as text
  std::string_view about;

  // Stores what a text means; or says what was expected, and stores nothing.
  std::optional<std::string> (*read)(std::string_view text, Settings& into);

  std::string flag() const;
  std::string variable() const;
  std::string key() const;
};

std::span<const Setting> settings_table();

}  // namespace tidegate::server
