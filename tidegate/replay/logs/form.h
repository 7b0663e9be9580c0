// A form of log lines: how a line is cut into columns, and which fields those give.
//
// A form is made for the fields that are wanted; a line then costs what those cost. Thread safety:
// none; a form keeps what the last line was unpacked to.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/base/expected.h"
#include "tidegate/base/time.h"
#include "tidegate/replay/logs/shape.h"

namespace tidegate::replay {

// A field, and the part of which column it is.
struct FieldOf {
  std::string_view name;
  std::size_t column;
  Shape shape;
};

class Form {
 public:
  virtual ~Form() = default;

  // Reads a line: its time, and its values in the order of the wanted fields. What is wrong with a
  // line that is no request, or null.
  virtual const char* read(std::string_view line, Time& at, std::span<std::string_view> values) = 0;

  virtual std::vector<std::string> field_names() const = 0;
};

struct FormOptions {
  std::string_view form;    // a name, or an nginx log_format
  std::string_view fields;  // of JSON and CSV: time=.ts,client=.ip
  std::vector<std::string> wanted;
  Time newest;  // of times without a year: not after this
};

// The forms there are: combined, json, alb, haproxy, csv.
std::span<const std::string_view> form_names();

// By its name; an error names a field that it does not have. `header` is the first line, which CSV
// takes its columns from.
Expected<std::unique_ptr<Form>> make_form(const FormOptions& options, std::string_view header);

// The name of the form that most of these lines have, or nothing.
std::string_view detect(std::span<const std::string_view> lines);

}  // namespace tidegate::replay
