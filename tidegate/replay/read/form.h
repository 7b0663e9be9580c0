// A form of log lines: how a line is split into columns, and which fields are made of them.
//
// Every form is a table of fields over a Splitter; what is the same for all of them, the time, the
// wanted fields, what makes a line bad, is in LineReader. Forms are values that many threads may
// share; a Splitter and a LineReader are one thread's. Cost: the splitter's, and a virtual call.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/base/expected.h"
#include "tidegate/base/time.h"
#include "tidegate/replay/read/shape.h"
#include "tidegate/replay/read/time_text.h"

namespace tidegate::replay {

using Column = std::uint16_t;
inline constexpr Column kTimeColumn = 0;

struct Field {
  std::string name;
  Column column;
  Shape shape;
};

// Why a line is no request; nullptr if it is one. The texts are literals.
using Problem = const char*;

class Splitter {
 public:
  virtual ~Splitter() = default;

  // Fills the columns that it was made for, with views into the line or into memory of its own that
  // last until the next call; what is absent becomes "".
  virtual Problem split(std::string_view line, std::span<std::string_view> columns) = 0;
};

struct Form {
  std::string name;
  std::vector<std::string> columns;  // what each is called in the log: a path into JSON, a variable
  std::vector<Field> fields;
  std::optional<Column> required;  // besides the time; without it a line is no request

  // The needed columns ascend, the time's is the first.
  using MakeSplitter = std::unique_ptr<Splitter> (*)(const Form&, std::span<const Column> needed);
  MakeSplitter make_splitter;

  bool has_header = false;  // the first line names the columns
  bool takes_paths =
      false;  // any path into JSON, such as .request.uri, may be asked for as a field
};

// Reads lines of a form for wanted fields.
class LineReader {
 public:
  static Expected<LineReader> make(Form form, std::span<const std::string> wanted, Time newest);

  Problem read(std::string_view line, Time& at, std::span<std::string_view> fields) {
    if (const Problem problem = splitter_->split(line, columns_)) return problem;
    if (required_ && columns_[*required_].empty()) return "it names no client";
    if (!time_.read(columns_[kTimeColumn], at)) return "its time cannot be read";
    for (std::size_t i = 0; i < wanted_.size(); ++i)
      fields[i] = shaped(wanted_[i].shape, columns_[wanted_[i].column]);
    return nullptr;
  }

 private:
  struct Wanted {
    Column column;
    Shape shape;
  };
  LineReader(const Form& form, std::vector<Wanted> wanted, Time newest);

  std::unique_ptr<Splitter> splitter_;
  std::optional<Column> required_;
  std::vector<Wanted> wanted_;
  std::vector<std::string_view> columns_;
  TimeReader time_;
};

}  // namespace tidegate::replay
