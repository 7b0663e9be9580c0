// What tests of reading share: lines of a form as the text that they were read to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tidegate/replay/logs/form.h"

namespace tidegate::replay::test_logs {

// A form for wanted fields; the test fails hard if it is refused.
inline std::unique_ptr<Form> form_for(std::string_view form, std::vector<std::string> wanted,
                                      std::string_view fields = {}, std::string_view header = {}) {
  return make_form(
             {.form = form, .fields = fields, .wanted = std::move(wanted), .newest = kEndOfTime},
             header)
      .value();
}

// `971211336000000|203.0.113.9|GET`: the time in microseconds and the fields; or what is wrong.
inline std::string read_line(Form& form, std::string_view line, std::size_t fields) {
  std::vector<std::string_view> values(fields);
  Time at{};
  if (const char* problem = form.read(line, at, values)) return std::string{"bad: "} + problem;
  std::string text = std::to_string(at.time_since_epoch().count());
  for (const std::string_view value : values) text += "|" + std::string{value};
  return text;
}

inline std::string read_line(std::string_view form, std::string_view line,
                             const std::vector<std::string>& wanted, std::string_view fields = {},
                             std::string_view header = {}) {
  return read_line(*form_for(form, wanted, fields, header), line, wanted.size());
}

}  // namespace tidegate::replay::test_logs
