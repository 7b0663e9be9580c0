// Comma-separated values (RFC 4180) with a header: its names are the fields.
#include <algorithm>

#include "tidegate/base/quote.h"
#include "tidegate/replay/logs/columns.h"
#include "tidegate/replay/logs/forms.h"
#include "tidegate/replay/logs/known_names.h"
#include "tidegate/replay/logs/named_columns.h"
#include "tidegate/replay/logs/time_text.h"

namespace tidegate::replay {
namespace {

// One line's values; those in quotes are copied when quotes are doubled within.
class Row {
 public:
  explicit Row(char separator) : separator_{separator} {}

  bool split(std::string_view line) {
    values_.clear();
    kept_.clear();
    kept_.reserve(line.size());  // views into it stay good
    for (bool more = true; more;) {
      if (!take(line)) return false;
      more = line.starts_with(separator_);
      if (more) line.remove_prefix(1);
    }
    return line.empty();
  }
  std::span<const std::string_view> values() const { return values_; }

 private:
  bool take(std::string_view& line) {
    if (!line.starts_with('"')) {
      const std::size_t end = std::min(line.find(separator_), line.size());
      values_.push_back(line.substr(0, end));
      line.remove_prefix(end);
      return true;
    }
    const std::size_t begin = kept_.size();
    for (line.remove_prefix(1); !line.empty(); line.remove_prefix(1)) {
      const bool quote = line.front() == '"';
      if (quote && !line.starts_with("\"\"")) {
        line.remove_prefix(1);
        values_.push_back(std::string_view{kept_}.substr(begin));
        return true;
      }
      if (quote) line.remove_prefix(1);
      kept_ += line.front();
    }
    return false;
  }

  char separator_;
  std::vector<std::string_view> values_;
  std::string kept_;
};

// A comma, or a semicolon or a tab if the header has more of those.
char separator_of(std::string_view header) {
  const auto times = [&](char c) { return std::count(header.begin(), header.end(), c); };
  char most = ',';
  for (const char c : {';', '\t'})
    if (times(c) > times(most)) most = c;
  return most;
}

class Csv final : public Form {
 public:
  Csv(Row row, std::vector<std::string> names, std::vector<Pick> picks, std::size_t time,
      Time newest)
      : names_{std::move(names)},
        picks_{std::move(picks)},
        time_{time},
        times_{newest},
        row_{std::move(row)} {}

  const char* read(std::string_view line, Time& at, std::span<std::string_view> values) override {
    if (!row_.split(line)) return "quotes that do not end";
    if (row_.values().size() != names_.size()) return "not as many values as the header has names";
    if (!times_.read(row_.values()[time_], at)) return "no time in the column of the time";
    give(picks_, row_.values(), values);
    return nullptr;
  }

  std::vector<std::string> field_names() const override { return names_; }

 private:
  std::vector<std::string> names_;
  std::vector<Pick> picks_;
  std::size_t time_;
  TimeReader times_;
  Row row_;
};

// The column that a field is in: as --fields says, or of its name, or of one that it goes by.
Expected<std::size_t> column_of(std::string_view field, const std::vector<std::string>& names,
                                const std::vector<NamedColumn>& named) {
  std::string_view wanted = field;
  for (const NamedColumn& column : named)
    if (column.name == field) wanted = column.place;
  auto found = std::find(names.begin(), names.end(), wanted);
  if (const KnownName* known = known_name(wanted); known != nullptr && found == names.end())
    found = std::find_if(names.begin(), names.end(),
                         [&](const std::string& name) { return goes_by(*known, name); });
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return error("field " + quoted(field),
               "the header of the CSV names " + all + "; --fields says which is which: client=ip");
}

}  // namespace

Expected<std::unique_ptr<Form>> make_csv(const FormOptions& options, std::string_view header) {
  const Expected<std::vector<NamedColumn>> named = read_named_columns(options.fields);
  if (!named) return tl::unexpected{named.error()};
  Row row{separator_of(header)};
  if (!row.split(header)) return error("the header of the CSV", "its quotes do not end");
  const std::vector<std::string> names{row.values().begin(), row.values().end()};
  std::vector<Pick> picks;
  for (const std::string& field : options.wanted) {
    const Expected<std::size_t> column = column_of(field, names, *named);
    if (!column) return tl::unexpected{column.error()};
    const KnownName* known = known_name(field);
    picks.push_back({*column, known == nullptr ? Shape::kText : known->shape});
  }
  const Expected<std::size_t> time = column_of("time", names, *named);
  if (!time) return tl::unexpected{time.error()};
  return std::make_unique<Csv>(std::move(row), names, std::move(picks), *time, options.newest);
}

}  // namespace tidegate::replay
