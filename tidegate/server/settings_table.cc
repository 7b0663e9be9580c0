#include "tidegate/server/settings_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "tidegate/algorithm/limit_grammar.h"
#include "tidegate/server/setting_values.h"

namespace tidegate::server {
namespace {

using Problem = std::optional<std::string>;

template <auto kMember, class T>
Problem store(Value<T> value, Settings& into) {
  if (!value) return std::move(value).error();
  into.*kMember = *std::move(value);
  return std::nullopt;
}

template <auto kMember>
Problem text(std::string_view text, Settings& into) {
  into.*kMember = std::string{text};
  return std::nullopt;
}

template <auto kMember, std::uint64_t kLeast, std::uint64_t kMost>
Problem count(std::string_view text, Settings& into) {
  return store<kMember>(read_count(text, kLeast, kMost), into);
}

template <auto kMember>
Problem size(std::string_view text, Settings& into) {
  return store<kMember>(read_size(text), into);
}

template <auto kMember>
Problem time(std::string_view text, Settings& into) {
  return store<kMember>(read_time(text), into);
}

template <auto kMember>
Problem limit(std::string_view text, Settings& into) {
  return store<kMember>(read_limit(text), into);
}

template <auto kMember>
Problem addresses(std::string_view text, Settings& into) {
  return store<kMember>(read_addresses(text), into);
}

template <auto kMember>
Problem paths(std::string_view text, Settings& into) {
  (into.*kMember).clear();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    if (end > 0) (into.*kMember).emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

// The names of an enumeration, in the order of its values.
constexpr std::array<std::string_view, 2> kOnFull = {"evict", "deny_new"};
constexpr std::array<std::string_view, 4> kOnStoreError = {"allow", "deny", "error", "local"};
constexpr std::array<std::string_view, 2> kCompat = {"none", "envoy"};
constexpr std::array<std::string_view, kAlgorithms> kAlgorithm = {
    name(Algorithm{0}), name(Algorithm{1}), name(Algorithm{2}), name(Algorithm{3})};
constexpr std::array<std::string_view, 4> kResponseHeaders = {"none", "ratelimit", "x-ratelimit",
                                                              "ietf"};
constexpr std::array<std::string_view, 2> kSwitch = {"off", "on"};
constexpr std::array<std::string_view, 2> kCharge = {"all_or_nothing", "each"};
constexpr std::array<std::string_view, 4> kLevel = {"debug", "info", "warn", "error"};
constexpr std::array<std::string_view, 2> kFormat = {"text", "json"};

template <class Enum>
void assign(Enum& into, std::size_t index) {
  into = static_cast<Enum>(index);
}

template <class Enum>
void assign(std::optional<Enum>& into, std::size_t index) {
  into = static_cast<Enum>(index);
}

// What only a take may leave to its store comes first.
void assign(OnStoreError& into, std::size_t index) {
  into = static_cast<OnStoreError>(index + 1);
}

template <auto kMember, const auto& kNames>
Problem choice(std::string_view text, Settings& into) {
  const auto* const found = std::find(kNames.begin(), kNames.end(), text);
  if (found != kNames.end()) {
    assign(into.*kMember, static_cast<std::size_t>(found - kNames.begin()));
    return std::nullopt;
  }
  std::string expected = "expected ";
  for (const std::string_view name : kNames)
    (expected += name == kNames.front() ? "" : " or ").append(name);
  return expected;
}

// The same for what has no default of its own.
template <auto kMember, const auto& kNames>
Problem choice_if_any(std::string_view text, Settings& into) {
  return text.empty() ? std::nullopt : choice<kMember, kNames>(text, into);
}

using S = Settings;

constexpr Setting kTable[] = {
    {"rules", "PATH", "", "Limits by rules: a YAML file or a folder of them; several with commas",
     paths<&S::rules>},
    {"default-algorithm", "NAME", "",
     "Of rules that name none: sliding_window unless --compat says otherwise",
     choice_if_any<&S::default_algorithm, kAlgorithm>},
    {"compat", "SERVICE", "none",
     "envoy: as envoyproxy/ratelimit, rules are fixed_window and --charge is each",
     choice<&S::compat, kCompat>},
    {"http", "ADDR", "none", "Where HTTP is served: /json, /metrics and more; none: nowhere",
     addresses<&S::http>},
    {"http-reload-token-file", "FILE", "",
     "Let others than this machine reload the rules, with the token that this file holds",
     text<&S::http_reload_token_file>},
    {"grpc", "ADDR", "none",
     "Where proxies ask by gRPC, as Envoy does: HOST:PORT, unix:PATH or none; several with commas",
     addresses<&S::grpc>},
    {"grpc-tls-cert", "FILE", "", "Speak TLS there, with this certificate (PEM, chain included)",
     text<&S::grpc_tls_cert>},
    {"grpc-tls-key", "FILE", "", "The certificate's key (PEM)", text<&S::grpc_tls_key>},
    {"grpc-tls-client-ca", "FILE", "", "Ask proxies for a certificate that this authority signed",
     text<&S::grpc_tls_client_ca>},
    {"grpc-max-connection-age", "TIME", "24h",
     "Ask a proxy to connect anew after so long, give or take a tenth; 0: never",
     time<&S::grpc_max_connection_age>},
    {"grpc-max-connection-age-grace", "TIME", "1h",
     "After that, wait so long for calls that are open; 0: for ever",
     time<&S::grpc_max_connection_age_grace>},
    {"response-headers", "FORM", "none",
     "Let proxies tell clients of their limit: ratelimit, x-ratelimit or ietf",
     choice<&S::response_headers, kResponseHeaders>},
    {"dynamic-metadata", "WHEN", "off",
     "on: give proxies the request and the metadata of rules that let it pass",
     choice<&S::dynamic_metadata, kSwitch>},
    {"resp", "ADDR", "127.0.0.1:6380",
     "Where Redis clients connect: HOST:PORT, unix:PATH or none; several with commas",
     addresses<&S::resp>},
    {"resp-tls-cert", "FILE", "", "Speak TLS with this certificate (PEM, chain included)",
     text<&S::resp_tls_cert>},
    {"resp-tls-key", "FILE", "", "The certificate's key (PEM)", text<&S::resp_tls_key>},
    {"resp-tls-client-ca", "FILE", "", "Ask clients for a certificate that this authority signed",
     text<&S::resp_tls_client_ca>},
    {"resp-password-file", "FILE", "", "Ask clients for the password that this file holds",
     text<&S::resp_password_file>},
    {"threads", "N", "0", "Threads that serve, up to 256; 0: one for each core",
     count<&S::threads, 0, 256>},
    {"max-connections", "N", "10000", "Clients at one time; more are refused",
     count<&S::max_connections, 1, 1'000'000>},
    {"max-output", "SIZE", "1m", "Bytes unsent to one client before its requests must wait",
     size<&S::max_output>},
    {"idle-timeout", "TIME", "0", "Close a client that is silent for so long; 0: never",
     time<&S::idle_timeout>},
    {"write-timeout", "TIME", "30s", "Close a client that takes no answer for so long; 0: never",
     time<&S::write_timeout>},
    {"drain-timeout", "TIME", "10s", "At the end, wait so long for clients to take their answers",
     time<&S::drain_timeout>},
    {"store", "URL", "", "Keep limits in a Redis or Valkey, shared by all who do (redis://...)",
     text<&S::store>},
    {"store-timeout", "TIME", "10ms", "Answer without the store when it takes longer",
     time<&S::store_timeout>},
    {"on-store-error", "WHAT", "allow",
     "Without the store: allow, deny, error, or decide in this process (local)",
     choice<&S::on_store_error, kOnStoreError>},
    {"max-memory", "SIZE", "1g", "Memory for limits in use; 0: no cap", size<&S::max_memory>},
    {"on-full", "WHAT", "evict",
     "With that memory full: evict (forget the least charged) or deny_new",
     choice<&S::on_full, kOnFull>},
    {"charge", "WHAT", "",
     "When takes of one request disagree: all_or_nothing, the default, or each that fits",
     choice_if_any<&S::charge, kCharge>},
    {"log-level", "LEVEL", "info", "The least to log: debug, info, warn or error",
     choice<&S::log_level, kLevel>},
    {"log-format", "FORMAT", "text", "text or json", choice<&S::log_format, kFormat>},
    {"log-denials", "LIMIT", "0/s", "Log denials, so many at most, as in 10/s; 0/s: none",
     limit<&S::log_denials>},
};

template <class Change>
std::string spelled(std::string_view name, Change change) {
  std::string text{name};
  std::transform(text.begin(), text.end(), text.begin(), change);
  return text;
}

}  // namespace

std::string Setting::flag() const {
  return "--" + std::string{name};
}

std::string Setting::variable() const {
  return "TIDEGATE_" +
         spelled(name, [](char c) { return c == '-' ? '_' : static_cast<char>(c - 'a' + 'A'); });
}

std::string Setting::key() const {
  return spelled(name, [](char c) { return c == '-' ? '_' : c; });
}

std::span<const Setting> settings_table() {
  return kTable;
}

}  // namespace tidegate::server
