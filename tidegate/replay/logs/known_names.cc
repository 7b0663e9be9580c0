#include "tidegate/replay/logs/known_names.h"

#include <algorithm>

namespace tidegate::replay {
namespace {

constexpr std::string_view kTargets =
    ".RequestPath|.request.uri|.x-envoy-origin-path|.request_uri|.uri|.path|.url|.target|.request";

// The time at which a request came before the one at which its line was written; what one server
// alone writes before what many do.
constexpr KnownName kNames[] = {
    {"time", Shape::kText,
     ".StartUTC|.StartLocal|.start_time|.ts|.time_iso8601|.msec|.@timestamp|.timestamp|.time|"
     ".time_local|.date|.datetime"},
    {"client", Shape::kAddress,
     ".ClientHost|.request.client_ip|.request.remote_ip|.request.remote_addr|"
     ".downstream_remote_address|.client|.client_ip|.clientip|.remote_addr|.remote_ip|.ip|"
     ".ip_address|.src_ip"},
    {"first_client", Shape::kFirst,
     ".ClientHost|.request.headers.X-Forwarded-For|.x-forwarded-for|.http_x_forwarded_for|"
     ".x_forwarded_for"},
    {"host", Shape::kHost,
     ".RequestHost|.request.host|.:authority|.authority|.http_host|.host|.server_name|.vhost"},
    {"method", Shape::kWord,
     ".RequestMethod|.request.method|.request_method|.method|.verb|.request"},
    {"path", Shape::kPath, kTargets},
    {"uri", Shape::kUri, kTargets},
    {"query", Shape::kQuery, kTargets},
    {"protocol", Shape::kText, ".RequestProtocol|.request.proto|.server_protocol|.protocol"},
    {"status", Shape::kText, ".DownstreamStatus|.response_code|.status|.status_code"},
    {"bytes", Shape::kText, ".DownstreamContentSize|.body_bytes_sent|.bytes_sent|.bytes|.size"},
    {"agent", Shape::kText,
     ".request_User-Agent|.request.headers.User-Agent|.user-agent|.http_user_agent|.user_agent|"
     ".agent"},
    {"referer", Shape::kText,
     ".request_Referer|.request.headers.Referer|.http_referer|.referer|.referrer"},
    {"user", Shape::kText, ".ClientUsername|.user_id|.remote_user|.user"},
};

bool same_name(std::string_view one, std::string_view other) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : int{c}; };
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

std::span<const KnownName> known_names() {
  return kNames;
}

const KnownName* known_name(std::string_view field) {
  const auto* found = std::find_if(std::begin(kNames), std::end(kNames),
                                   [&](const KnownName& known) { return known.field == field; });
  return found == std::end(kNames) ? nullptr : found;
}

bool goes_by(const KnownName& known, std::string_view name) {
  std::string_view places = known.places;
  while (!places.empty()) {
    const std::string_view place = places.substr(0, places.find('|'));
    if (same_name(place.substr(1), name)) return true;
    places.remove_prefix(std::min(place.size() + 1, places.size()));
  }
  return same_name(known.field, name);
}

}  // namespace tidegate::replay
