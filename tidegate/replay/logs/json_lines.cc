// A JSON object a line: nginx, Traefik, Caddy, Envoy, also behind the prefix that a container
// runtime writes; or any other, when it is said where its fields are.
#include <algorithm>
#include <boost/json.hpp>
#include <optional>

#include "tidegate/base/quote.h"
#include "tidegate/replay/logs/columns.h"
#include "tidegate/replay/logs/forms.h"
#include "tidegate/replay/logs/named_columns.h"
#include "tidegate/replay/logs/time_text.h"

namespace tidegate::replay {
namespace {

namespace json = boost::json;

// Where servers write a field; the first place that a line has counts.
struct Known {
  std::string_view name;
  Shape shape;
  std::vector<std::string_view> places;
};

const std::vector<Known>& known_fields() {
  static const std::vector<Known> fields = {
      {"time",
       Shape::kText,
       {".time", ".ts", ".start_time", ".StartUTC", ".StartLocal", ".time_iso8601", ".timestamp",
        ".@timestamp", ".msec", ".time_local"}},
      {"client",
       Shape::kAddress,
       {".client", ".ClientHost", ".request.client_ip", ".request.remote_ip", ".remote_addr",
        ".downstream_remote_address", ".client_ip", ".remote_ip", ".ip"}},
      {"host",
       Shape::kHost,
       {".host", ".RequestHost", ".request.host", ".:authority", ".authority", ".http_host",
        ".server_name"}},
      {"method", Shape::kText, {".method", ".RequestMethod", ".request.method", ".request_method"}},
      {"path",
       Shape::kPath,
       {".path", ".RequestPath", ".request.uri", ".x-envoy-origin-path", ".request_uri", ".uri"}},
      {"uri",
       Shape::kUri,
       {".uri", ".RequestPath", ".request.uri", ".x-envoy-origin-path", ".path", ".request_uri"}},
      {"status", Shape::kText, {".status", ".DownstreamStatus", ".response_code", ".status_code"}},
      {"bytes",
       Shape::kText,
       {".bytes", ".DownstreamContentSize", ".size", ".bytes_sent", ".body_bytes_sent"}},
      {"agent",
       Shape::kText,
       {".agent", ".request_User-Agent", ".user_agent", ".http_user_agent", ".user-agent"}},
      {"user", Shape::kText, {".user", ".ClientUsername", ".user_id", ".remote_user"}},
      {"protocol",
       Shape::kText,
       {".protocol", ".RequestProtocol", ".request.proto", ".server_protocol"}},
  };
  return fields;
}

// `.a.b`: a member of a member; an array's first element counts for it. Empty when there is none.
const json::value* at_place(const json::value& line, std::string_view place) {
  const json::value* value = &line;
  while (value != nullptr && !place.empty()) {
    place.remove_prefix(1);
    const std::size_t end = std::min(place.find('.'), place.size());
    const json::object* object = value->if_object();
    value = object == nullptr ? nullptr : object->if_contains(place.substr(0, end));
    place.remove_prefix(end);
  }
  if (value != nullptr && value->is_array())
    value = value->get_array().empty() ? nullptr : &value->get_array().front();
  return value == nullptr || value->is_null() ? nullptr : value;
}

struct Place {
  Shape shape;
  std::vector<std::string> paths;
};

// What follows `2025-12-31T17:37:40.493+01:00 stdout F `, if that is there.
std::string_view without_runtime_prefix(std::string_view line) {
  std::string_view rest = line;
  std::string_view time;
  std::string_view stream;
  std::string_view tag;
  const bool prefixed = take_word(rest, time) && take_word(rest, stream) && take_word(rest, tag) &&
                        (stream == "stdout" || stream == "stderr");
  return prefixed ? rest : line;
}

class JsonLines final : public Form {
 public:
  JsonLines(std::vector<Place> places, Place time, Time newest)
      : places_{std::move(places)},
        time_{std::move(time)},
        times_{newest},
        texts_(places_.size()) {}

  const char* read(std::string_view line, Time& at, std::span<std::string_view> values) override {
    line = without_runtime_prefix(line);
    if (!line.starts_with('{')) return "no JSON object";
    json::error_code problem;
    parser_.reset();
    parser_.write(line, problem);
    if (problem) return "broken JSON";
    const json::value value = parser_.release();
    std::string text;
    if (!text_at(value, time_, text)) return "no field that tells the time";
    if (!times_.read(text, at)) return "its time is none";
    for (std::size_t i = 0; i < places_.size(); ++i) {
      text_at(value, places_[i], texts_[i]);
      values[i] = shaped(places_[i].shape, texts_[i]);
    }
    return nullptr;
  }

  std::vector<std::string> field_names() const override {
    std::vector<std::string> names;
    for (const Known& known : known_fields()) names.emplace_back(known.name);
    return names;
  }

 private:
  static bool text_at(const json::value& line, const Place& place, std::string& text) {
    text.clear();
    for (const std::string& path : place.paths)
      if (const json::value* value = at_place(line, path)) {
        text = value->is_string() ? std::string{value->get_string()} : number(*value);
        return true;
      }
    return false;
  }

  // Seconds with a fraction are not to be written as 1.69e9.
  static std::string number(const json::value& value) {
    if (!value.is_double()) return json::serialize(value);
    char digits[64];
    std::snprintf(digits, sizeof digits, "%.6f", value.get_double());
    std::string text{digits};
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
  }

  std::vector<Place> places_;
  Place time_;
  TimeReader times_;
  std::vector<std::string> texts_;
  json::parser parser_;
};

Expected<Place> place_of(std::string_view name, const std::vector<NamedColumn>& named) {
  for (const NamedColumn& column : named)
    if (column.name == name)
      return Place{name == "client" ? Shape::kAddress : Shape::kText, {column.place}};
  for (const Known& known : known_fields())
    if (known.name == name) return Place{known.shape, {known.places.begin(), known.places.end()}};
  if (name.starts_with('.')) return Place{Shape::kText, {std::string{name}}};
  std::string names;
  for (const Known& known : known_fields()) names += std::string{known.name} + ", ";
  return error("field " + quoted(name),
               "lines of JSON have " + names + "a path like .a.b, and what --fields names");
}

}  // namespace

Expected<std::unique_ptr<Form>> make_json(const FormOptions& options) {
  const Expected<std::vector<NamedColumn>> named = read_named_columns(options.fields);
  if (!named) return tl::unexpected{named.error()};
  for (const NamedColumn& column : *named)
    if (!column.place.starts_with('.'))
      return error("--fields " + quoted(column.place), "expected a path of JSON, as in .a.b");
  std::vector<Place> places;
  for (const std::string& name : options.wanted) {
    Expected<Place> place = place_of(name, *named);
    if (!place) return tl::unexpected{std::move(place).error()};
    places.push_back(*std::move(place));
  }
  return std::make_unique<JsonLines>(std::move(places), place_of("time", *named).value(),
                                     options.newest);
}

}  // namespace tidegate::replay
