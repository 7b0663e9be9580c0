// A JSON object a line: nginx, Traefik, Caddy, Envoy, also behind the prefix that a container
// runtime writes; or any other, when it is said where its fields are. Between its JSON Envoy also
// writes lines of text; they are read too.
#include <algorithm>
#include <optional>

#include "tidegate/base/quote.h"
#include "tidegate/replay/logs/columns.h"
#include "tidegate/replay/logs/envoy_text.h"
#include "tidegate/replay/logs/forms.h"
#include "tidegate/replay/logs/json_paths.h"
#include "tidegate/replay/logs/known_names.h"
#include "tidegate/replay/logs/named_columns.h"
#include "tidegate/replay/logs/time_text.h"

namespace tidegate::replay {
namespace {

// What follows `2025-12-31T17:37:40.493+01:00 stdout F `, if that is there.
std::string_view without_runtime_prefix(std::string_view line) {
  std::string_view rest = line;
  std::string_view time;
  std::string_view stream;
  std::string_view tag;
  const bool prefixed = take_word(rest, time) && take_word(rest, stream) && take_word(rest, tag) &&
                        (stream == "stdout" || stream == "stderr") && tag != "P";
  return prefixed ? rest : line;
}

// A field: where JSON has it, and where Envoy's text has it.
struct Place {
  Shape shape;
  std::string paths;
  std::optional<FieldOf> in_text = std::nullopt;
};

std::optional<FieldOf> in_envoy_text(std::string_view name) {
  for (const FieldOf& field : envoy_fields())
    if (field.name == name) return field;
  return std::nullopt;
}

// The time, a client if there must be one, and what is wanted, in this order.
std::vector<std::string> paths_of(const std::vector<Place>& places) {
  std::vector<std::string> paths;
  for (const Place& place : places) paths.push_back(place.paths);
  return paths;
}

class JsonLines final : public Form {
 public:
  JsonLines(std::vector<Place> places, std::vector<std::string> names, Time newest)
      : places_{std::move(places)},
        names_{std::move(names)},
        paths_{paths_of(places_)},
        values_(places_.size()),
        times_{newest} {}

  const char* read(std::string_view line, Time& at, std::span<std::string_view> values) override {
    if (line.empty()) return "an empty line";
    line = without_runtime_prefix(line);
    if (line.starts_with('[')) return read_text(line, at, values);
    if (!line.starts_with('{')) return "no JSON object";
    if (!paths_.read(line, values_)) return "JSON that is broken or cut off";
    if (values_[kClient].empty() && !places_[kClient].paths.empty()) return "no client in its JSON";
    if (!times_.read(values_[kTime], at)) return "no time in its JSON";
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = shaped(places_[kWanted + i].shape, values_[kWanted + i]);
    return nullptr;
  }

  std::vector<std::string> field_names() const override { return names_; }

  static constexpr std::size_t kTime = 0;
  static constexpr std::size_t kClient = 1;
  static constexpr std::size_t kWanted = 2;

 private:
  const char* read_text(std::string_view line, Time& at, std::span<std::string_view> values) {
    EnvoyColumns columns;
    if (const char* problem = split_envoy_text(line, columns)) return problem;
    if (!times_.read(columns[kEnvoyTime], at)) return "no time in its brackets";
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto& field = places_[kWanted + i].in_text;
      values[i] = field ? shaped(field->shape, columns[field->column]) : std::string_view{};
    }
    return nullptr;
  }

  std::vector<Place> places_;
  std::vector<std::string> names_;
  JsonPaths paths_;
  std::vector<std::string_view> values_;
  TimeReader times_;
};

// What --fields names, then what is known, then any path.
std::optional<Place> place_of(std::string_view name, const std::vector<NamedColumn>& named) {
  const KnownName* known = known_name(name);
  const Shape shape = known == nullptr ? Shape::kText : known->shape;
  for (const NamedColumn& column : named)
    if (column.name == name) return Place{shape, column.place};
  if (known != nullptr) return Place{shape, std::string{known->places}, in_envoy_text(name)};
  if (read_json_path(name)) return Place{Shape::kText, std::string{name}};
  return std::nullopt;
}

std::vector<std::string> names_with(const std::vector<NamedColumn>& named) {
  std::vector<std::string> names;
  for (const NamedColumn& column : named) names.push_back(column.name);
  for (const KnownName& known : known_names())
    if (std::find(names.begin(), names.end(), known.field) == names.end())
      names.emplace_back(known.field);
  return names;
}

Error no_field(std::string_view name, const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& one : names) all += one + ", ";
  return {"field " + quoted(name),
          "lines of JSON have " + all + "and paths such as .request.uri; --fields names more"};
}

std::optional<Error> problem_of(const std::vector<NamedColumn>& named) {
  for (const NamedColumn& column : named) {
    std::string_view paths = column.place;
    while (!paths.empty()) {
      const std::string_view path = paths.substr(0, paths.find('|'));
      if (!read_json_path(path))
        return Error{"--fields " + quoted(column.place), "expected a path of JSON, as in .a.b"};
      paths.remove_prefix(std::min(path.size() + 1, paths.size()));
    }
  }
  return std::nullopt;
}

}  // namespace

Expected<std::unique_ptr<Form>> make_json(const FormOptions& options) {
  const Expected<std::vector<NamedColumn>> named = read_named_columns(options.fields);
  if (!named) return tl::unexpected{named.error()};
  if (auto problem = problem_of(*named)) return tl::unexpected{*std::move(problem)};
  const bool with_client =
      named->empty() || std::any_of(named->begin(), named->end(), [](const NamedColumn& column) {
        return column.name == "client";
      });
  std::vector<Place> places{*place_of("time", *named), Place{Shape::kAddress, {}}};
  if (with_client) places[JsonLines::kClient] = *place_of("client", *named);
  std::vector<std::string> names = names_with(*named);
  for (const std::string& name : options.wanted) {
    std::optional<Place> place = place_of(name, *named);
    if (!place) return tl::unexpected{no_field(name, names)};
    places.push_back(*std::move(place));
  }
  return std::make_unique<JsonLines>(std::move(places), std::move(names), options.newest);
}

}  // namespace tidegate::replay
