#include "tidegate/replay/read/standard_fields.h"

#include <algorithm>

namespace tidegate::replay {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_name(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

bool has_field(std::span<const Field> fields, std::string_view name) {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field& field) { return field.name == name; });
}

}  // namespace

const std::array<StandardColumn, kStandardColumns>& standard_columns() {
  static constexpr std::array<StandardColumn, kStandardColumns> kColumns{{
      {"time timestamp @timestamp ts time_iso8601 msec time_local date datetime start_time", {}},
      {"client client_ip clientip clientIp remote_addr remote_ip ip ip_address address src_ip "
       "remote_host",
       {{{"client", Shape::kAddress},
         {"first_client", Shape::kFirst},
         {"addresses", Shape::kText}}}},
      {"host http_host server_name authority domain vhost", {{{"host", Shape::kHost}}}},
      {"method request_method http_method verb request", {{{"method", Shape::kMethod}}}},
      {"uri request_uri path url target request",
       {{{"path", Shape::kPath}, {"uri", Shape::kUri}, {"query", Shape::kQuery}}}},
      {"protocol server_protocol proto http_version", {{{"protocol", Shape::kText}}}},
      {"status status_code response_code code", {{{"status", Shape::kText}}}},
      {"bytes body_bytes_sent bytes_sent size response_size", {{{"bytes", Shape::kText}}}},
      {"agent user_agent http_user_agent useragent", {{{"agent", Shape::kText}}}},
      {"referer referrer http_referer http_referrer", {{{"referer", Shape::kText}}}},
      {"user remote_user user_id username", {{{"user", Shape::kText}}}},
      {"x_forwarded_for http_x_forwarded_for xff", {{{"x_forwarded_for", Shape::kText}}}},
  }};
  return kColumns;
}

const StandardColumn* standard_column_of(std::string_view field) {
  for (const StandardColumn& column : standard_columns())
    for (const auto& made : column.makes)
      if (!field.empty() && made.field == field) return &column;
  return nullptr;
}

std::size_t find_name(std::span<const std::string> names, std::string_view words) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](const std::string& name) { return same_name(name, word); });
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    words.remove_prefix(std::min(word.size() + 1, words.size()));
  }
  return names.size();
}

std::vector<Field> fields_of_names(std::span<const std::string> names, Column first) {
  std::vector<Field> fields;
  for (const StandardColumn& column : standard_columns()) {
    const std::size_t found = find_name(names, column.names);
    for (const auto& made : column.makes)
      if (found < names.size() && !made.field.empty())
        fields.push_back({std::string{made.field}, static_cast<Column>(first + found), made.shape});
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!has_field(fields, names[i]))
      fields.push_back({names[i], static_cast<Column>(first + i), Shape::kText});
  return fields;
}

}  // namespace tidegate::replay
