#include "tidegate/replay/read/json_lines.h"

#include <algorithm>
#include <array>

#include "tidegate/base/quote.h"
#include "tidegate/replay/read/envoy_text.h"
#include "tidegate/replay/read/json_splitter.h"
#include "tidegate/replay/read/standard_fields.h"

namespace tidegate::replay {
namespace {

using Paths = std::array<std::string_view, kStandardColumns>;

constexpr Paths kTraefik = [] {
  Paths paths;
  paths[kTime] = ".StartUTC|.StartLocal|.time";
  paths[kClient] = ".ClientHost|.ClientAddr";
  paths[kHost] = ".RequestHost|.RequestAddr";
  paths[kMethod] = ".RequestMethod";
  paths[kTarget] = ".RequestPath";
  paths[kProtocol] = ".RequestProtocol";
  paths[kStatus] = ".DownstreamStatus";
  paths[kBytes] = ".DownstreamContentSize";
  paths[kAgent] = ".request_User-Agent";
  paths[kReferer] = ".request_Referer";
  paths[kUser] = ".ClientUsername";
  paths[kForwarded] = ".request_X-Forwarded-For";
  return paths;
}();

constexpr Paths kCaddy = [] {
  Paths paths;
  paths[kTime] = ".ts";
  paths[kClient] = ".request.client_ip|.request.remote_ip|.request.remote_addr";
  paths[kHost] = ".request.host";
  paths[kMethod] = ".request.method";
  paths[kTarget] = ".request.uri";
  paths[kProtocol] = ".request.proto";
  paths[kStatus] = ".status";
  paths[kBytes] = ".size";
  paths[kAgent] = ".request.headers.User-Agent";
  paths[kReferer] = ".request.headers.Referer";
  paths[kUser] = ".user_id";
  paths[kForwarded] = ".request.headers.X-Forwarded-For";
  return paths;
}();

constexpr Paths kEnvoy = [] {
  Paths paths;
  paths[kTime] = ".start_time";
  paths[kClient] = ".downstream_remote_address|.x-forwarded-for|.x_forwarded_for";
  paths[kHost] = ".:authority|.authority";
  paths[kMethod] = ".method";
  paths[kTarget] = ".x-envoy-origin-path|.path|.:path";
  paths[kProtocol] = ".protocol";
  paths[kStatus] = ".response_code";
  paths[kBytes] = ".bytes_sent";
  paths[kAgent] = ".user-agent|.user_agent";
  paths[kReferer] = ".referer";
  paths[kForwarded] = ".x-forwarded-for|.x_forwarded_for";
  return paths;
}();

std::unique_ptr<Splitter> make_json(const Form& form, std::span<const Column> needed) {
  return std::make_unique<JsonSplitter>(form, needed);
}

void add_fields(Form& form, Column column, const StandardColumn& standard) {
  for (const auto& made : standard.makes)
    if (!made.field.empty()) form.fields.push_back({std::string{made.field}, column, made.shape});
}

Form make_form(std::string name, const Paths& paths) {
  Form form{.name = std::move(name),
            .columns = {paths.begin(), paths.end()},
            .fields = {},
            .required = kClient,
            .make_splitter = make_json,
            .takes_paths = true};
  for (Column column = 0; column < kStandardColumns; ++column)
    if (!paths[column].empty()) add_fields(form, column, standard_columns()[column]);
  return form;
}

// "a b" as .a|.b
std::string paths_of_names(std::string_view names) {
  std::string paths{"."};
  for (const char c : names) paths += c == ' ' ? std::string{"|."} : std::string{c};
  return paths;
}

bool are_paths(std::string_view paths) {
  for (;;) {
    const std::size_t end = std::min(paths.find('|'), paths.size());
    if (!read_json_path(paths.substr(0, end))) return false;
    if (end == paths.size()) return true;
    paths.remove_prefix(end + 1);
  }
}

// Shaped as the standard field of that name, if there is such a one.
Shape shape_of(std::string_view field) {
  if (const StandardColumn* column = standard_column_of(field))
    for (const auto& made : column->makes)
      if (made.field == field) return made.shape;
  return Shape::kText;
}

}  // namespace

Form traefik_form() {
  return make_form("traefik", kTraefik);
}

Form caddy_form() {
  return make_form("caddy", kCaddy);
}

Form envoy_form() {
  Form form = make_form("envoy", kEnvoy);
  form.make_splitter = [](const Form& made,
                          std::span<const Column> needed) -> std::unique_ptr<Splitter> {
    return std::make_unique<EnvoySplitter>(made, needed);
  };
  return form;
}

Form json_form() {
  std::array<std::string, kStandardColumns> paths;
  for (Column column = 0; column < kStandardColumns; ++column)
    paths[column] = paths_of_names(standard_columns()[column].names);
  Paths views;
  std::copy(paths.begin(), paths.end(), views.begin());
  return make_form("json", views);
}

Expected<Form> json_form_of(const FieldPaths& paths) {
  Form form{.name = "json",
            .columns = {""},
            .fields = {},
            .required = std::nullopt,
            .make_splitter = make_json,
            .takes_paths = true};
  for (const auto& [field, path] : paths) {
    if (!are_paths(path))
      return error("--fields " + field,
                   "expected a path into JSON, as in .request.ip, got " + quoted(path));
    if (field == "time") {
      form.columns[kTimeColumn] = path;
      continue;
    }
    const auto column = static_cast<Column>(form.columns.size());
    if (field == "client") form.required = column;
    form.fields.push_back({field, column, shape_of(field)});
    form.columns.push_back(path);
  }
  if (form.columns[kTimeColumn].empty())
    return error("--fields", "expected a time among them, as in time=.ts");
  return form;
}

}  // namespace tidegate::replay
