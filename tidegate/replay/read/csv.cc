#include "tidegate/replay/read/csv.h"

#include <algorithm>

#include "tidegate/base/quote.h"
#include "tidegate/replay/read/standard_fields.h"

namespace tidegate::replay {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// As many as a header may name; the rest of a line is one more.
constexpr std::size_t kMaxColumns = 512;

// The form's columns are the time's, then the line's in their order.
constexpr Column kFirst = 1;

// Of a value in quotes the end, at a quote that is not written twice.
std::size_t closing_quote(std::string_view text) {
  std::size_t at = text.find('"', 1);
  while (at != kNone && text.substr(at + 1).starts_with('"')) at = text.find('"', at + 2);
  return at;
}

// Takes one value off the text; false if its quotes do not close.
bool take_value(std::string_view& text, char separator, std::string_view& value) {
  if (!text.starts_with('"')) {
    value = text.substr(0, text.find(separator));
    text.remove_prefix(value.size());
    return true;
  }
  const std::size_t close = closing_quote(text);
  if (close == kNone) return false;
  value = text.substr(1, close - 1);
  text.remove_prefix(close + 1);
  return text.empty() || text.front() == separator;
}

char separator_of(std::string_view header) {
  const auto times = [&](char c) { return std::count(header.begin(), header.end(), c); };
  char best = ',';
  for (const char c : {';', '\t'})
    if (times(c) > times(best)) best = c;
  return best;
}

class CsvSplitter : public Splitter {
 public:
  CsvSplitter(const Form& form, std::span<const Column> needed)
      : separator_{form.columns[kTimeColumn].front()},
        time_{static_cast<Column>(std::stoul(form.columns[kTimeColumn].substr(1)))},
        count_{form.columns.size()},
        needed_{needed.begin(), needed.end()},
        unquoted_(form.columns.size()) {}

  Problem split(std::string_view line, std::span<std::string_view> columns) override {
    Column column = kFirst;
    for (;; ++column) {
      if (column == count_) return "it has more values than there are columns";
      if (!take_value(line, separator_, columns[column])) return "its quotes do not close";
      if (line.empty()) break;
      line.remove_prefix(1);
    }
    if (column + 1U < count_) return "it has fewer values than there are columns";
    columns[kTimeColumn] = columns[time_];
    for (const Column wanted : needed_) columns[wanted] = single_quotes(wanted, columns[wanted]);
    return nullptr;
  }

 private:
  std::string_view single_quotes(Column column, std::string_view value) {
    if (value.find("\"\"") == kNone) return value;
    std::string& text = unquoted_[column];
    text.clear();
    for (std::size_t i = 0; i < value.size(); ++i) {
      text += value[i];
      if (value[i] == '"') ++i;
    }
    return text;
  }

  char separator_;
  Column time_;
  std::size_t count_;
  std::vector<Column> needed_;
  std::vector<std::string> unquoted_;
};

Expected<std::vector<std::string>> read_header(std::string_view header, char separator) {
  std::vector<std::string> names;
  std::string_view name;
  for (;;) {
    if (!take_value(header, separator, name) || names.size() == kMaxColumns)
      return error("the header of CSV", "expected names of columns, at most 512");
    names.emplace_back(name);
    if (header.empty()) return names;
    header.remove_prefix(1);
  }
}

std::unique_ptr<Splitter> make_csv(const Form& form, std::span<const Column> needed) {
  return std::make_unique<CsvSplitter>(form, needed);
}

// Puts the fields that the user named before those of the same names.
Expected<void> name_fields(const std::vector<std::pair<std::string, std::string>>& columns_of,
                           std::vector<std::string>& names) {
  for (const auto& [field, column] : columns_of) {
    const auto found = std::find(names.begin(), names.end(), column);
    if (found == names.end())
      return error("--fields " + field, "the header names no column " + quoted(column));
    *found = field;
  }
  return {};
}

}  // namespace

Expected<Form> csv_form(std::string_view header,
                        const std::vector<std::pair<std::string, std::string>>& columns_of) {
  const char separator = separator_of(header);
  auto names = read_header(header, separator);
  if (!names) return tl::unexpected{names.error()};
  if (auto named = name_fields(columns_of, *names); !named) return tl::unexpected{named.error()};
  const std::size_t time = find_name(*names, standard_columns()[kTime].names);
  if (time == names->size())
    return error("the header of CSV",
                 "expected a column of times, as in: time,client,status; or "
                 "say which it is: --fields time=NAME");
  Form form{.name = "csv",
            .columns = {separator + std::to_string(kFirst + time)},
            .fields = fields_of_names(*names, kFirst),
            .required = std::nullopt,
            .make_splitter = make_csv,
            .has_header = true};
  form.columns.insert(form.columns.end(), names->begin(), names->end());
  for (const Field& field : form.fields)
    if (field.name == "client") form.required = field.column;
  return form;
}

}  // namespace tidegate::replay
