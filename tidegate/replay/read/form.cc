#include "tidegate/replay/read/form.h"

#include <algorithm>

#include "tidegate/base/quote.h"

namespace tidegate::replay {
namespace {

std::vector<Field>::const_iterator field_of(const Form& form, std::string_view name) {
  return std::find_if(form.fields.begin(), form.fields.end(),
                      [&](const Field& field) { return field.name == name; });
}

Error no_field(const Form& form, std::string_view name) {
  std::string names;
  for (const Field& field : form.fields) names += (names.empty() ? "" : ", ") + field.name;
  if (form.takes_paths) names += ", and paths such as .request.uri";
  return {"field " + quoted(name), "lines of the form " + form.name + " have: " + names};
}

// A path becomes a field, where there are paths.
std::optional<Error> offer(Form& form, const std::string& name) {
  if (field_of(form, name) != form.fields.end()) return std::nullopt;
  if (!form.takes_paths || !name.starts_with('.')) return no_field(form, name);
  form.fields.push_back({name, static_cast<Column>(form.columns.size()), Shape::kText});
  form.columns.push_back(name);
  return std::nullopt;
}

}  // namespace

LineReader::LineReader(const Form& form, std::vector<Wanted> wanted, Time newest)
    : required_{form.required},
      wanted_{std::move(wanted)},
      columns_(form.columns.size()),
      time_{newest} {
  std::vector<Column> needed{kTimeColumn};
  if (required_) needed.push_back(*required_);
  for (const Wanted& one : wanted_) needed.push_back(one.column);
  std::sort(needed.begin(), needed.end());
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  splitter_ = form.make_splitter(form, needed);
}

Expected<LineReader> LineReader::make(Form form, std::span<const std::string> wanted, Time newest) {
  std::vector<Wanted> found;
  for (const std::string& name : wanted) {
    if (auto problem = offer(form, name)) return tl::unexpected{*std::move(problem)};
    const auto field = field_of(form, name);
    found.push_back({field->column, field->shape});
  }
  return LineReader{form, std::move(found), newest};
}

}  // namespace tidegate::replay
