#include "tidegate/replay/read/log_format.h"

#include <algorithm>

#include "tidegate/base/quote.h"
#include "tidegate/replay/read/standard_fields.h"

namespace tidegate::replay {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kMaxVariables = 256;
constexpr std::string_view kWhere = "log_format";

// The form's columns are the time's, then the variables in their order.
constexpr Column kFirst = 1;

// What precedes the first variable, then each with the text that follows it.
struct Pieces {
  std::string before;
  std::vector<std::string> variables;
  std::vector<std::string> texts;
};

bool in_name(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The pieces in single quotes, joined; a format without any stands for itself.
std::string joined(std::string_view format) {
  const bool directive = format.starts_with("log_format");
  if (!directive && !format.starts_with('\'')) return std::string{format};
  std::string text;
  for (std::size_t open = format.find('\''); open != kNone; open = format.find('\'', open + 1)) {
    const std::size_t close = std::min(format.find('\'', open + 1), format.size());
    text += format.substr(open + 1, close - open - 1);
    open = std::min(close, format.size() - 1);
  }
  return text;
}

// A name, or a name in braces, behind the dollar.
std::string take_name(std::string_view& format) {
  format.remove_prefix(1);
  const bool braces = format.starts_with('{');
  if (braces) format.remove_prefix(1);
  const auto end = std::find_if_not(format.begin(), format.end(), in_name);
  const std::string name{format.begin(), end};
  format.remove_prefix(name.size());
  if (braces && format.starts_with('}')) format.remove_prefix(1);
  return name;
}

std::string take_text(std::string_view& format) {
  const std::string_view text = format.substr(0, format.find('$'));
  format.remove_prefix(text.size());
  return std::string{text};
}

Expected<Pieces> read_pieces(std::string_view format) {
  Pieces pieces;
  pieces.before = take_text(format);
  while (!format.empty()) {
    pieces.variables.push_back(take_name(format));
    pieces.texts.push_back(take_text(format));
    const std::string& name = pieces.variables.back();
    if (name.empty()) return error(std::string{kWhere}, "expected a variable's name behind each $");
    if (pieces.texts.back().empty() && !format.empty())
      return error(std::string{kWhere}, "nothing tells the end of $" + name + " from what follows");
    if (pieces.variables.size() > kMaxVariables)
      return error(std::string{kWhere}, "has more variables than 256");
  }
  return pieces;
}

// Columns hold, behind each variable, the text that follows it; the time's holds what precedes all
// of them, and before that the number of the time's variable.
class LogFormatSplitter : public Splitter {
 public:
  explicit LogFormatSplitter(const Form& form) {
    const std::string& first = form.columns[kTimeColumn];
    const std::size_t blank = first.find(' ');
    time_ = static_cast<Column>(std::stoul(first.substr(0, blank)));
    before_ = first.substr(blank + 1);
    texts_.assign(form.columns.begin() + kFirst, form.columns.end());
  }

  Problem split(std::string_view line, std::span<std::string_view> columns) override {
    if (!line.starts_with(before_)) return "it does not begin as the format does";
    line.remove_prefix(before_.size());
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const bool last = i + 1 == texts_.size();
      const std::size_t end = end_of(line, texts_[i], last);
      if (end == kNone) return "it is not of the format";
      columns[kFirst + i] = line.substr(0, end);
      line.remove_prefix(end + texts_[i].size());
    }
    columns[kTimeColumn] = columns[time_];
    return nullptr;
  }

 private:
  // The last value reaches as far as it can: up to the text that the format ends with.
  static std::size_t end_of(std::string_view line, const std::string& text, bool last) {
    if (!last) return line.find(text);
    return line.ends_with(text) ? line.size() - text.size() : kNone;
  }

  std::string before_;
  std::vector<std::string> texts_;
  Column time_;
};

std::unique_ptr<Splitter> make_log_format(const Form& form, std::span<const Column>) {
  return std::make_unique<LogFormatSplitter>(form);
}

}  // namespace

Expected<Form> log_format_form(std::string_view format) {
  const auto pieces = read_pieces(joined(format));
  if (!pieces) return tl::unexpected{pieces.error()};
  const std::size_t time = find_name(pieces->variables, standard_columns()[kTime].names);
  if (time == pieces->variables.size())
    return error(std::string{kWhere},
                 "expected $time_local, $time_iso8601 or $msec in " + quoted(format));
  Form form{.name = "log_format",
            .columns = {std::to_string(kFirst + time) + " " + pieces->before},
            .fields = fields_of_names(pieces->variables, kFirst),
            .required = std::nullopt,
            .make_splitter = make_log_format};
  form.columns.insert(form.columns.end(), pieces->texts.begin(), pieces->texts.end());
  for (const Field& field : form.fields)
    if (field.name == "client") form.required = field.column;
  return form;
}

}  // namespace tidegate::replay
