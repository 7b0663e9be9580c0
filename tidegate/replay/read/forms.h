// All forms of log lines: found by name, by an nginx log_format, or by what the lines look like.
//
// Pure. Cost: to detect a form, every form reads the first lines of the file.
#pragma once

#include <string>
#include <string_view>

#include "tidegate/base/expected.h"
#include "tidegate/replay/read/form.h"

namespace tidegate::replay {

// In the order of detection: the first of those that read the most lines is taken.
const std::vector<std::string>& form_names();

struct FormChoice {
  std::string_view form;    // a name, an nginx log_format, or "" to detect it
  std::string_view fields;  // "time=.ts,client=.ip", or ""
  std::string_view sample;  // the first lines of the file, the last perhaps cut off
};

Expected<Form> choose_form(const FormChoice& choice);

}  // namespace tidegate::replay
