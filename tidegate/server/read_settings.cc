#include "tidegate/server/read_settings.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "tidegate/base/quote.h"
#include "tidegate/server/settings_file.h"
#include "tidegate/server/settings_table.h"

namespace tidegate::server {
namespace {

// A value, and how an error calls it.
Expected<void> apply(const Setting& setting, std::string_view text, const std::string& place,
                     Settings& into) {
  auto problem = setting.read(text, into);
  if (!problem) return {};
  return error(place + " " + quoted(text), *std::move(problem));
}

void apply_defaults(Settings& into) {
  for (const Setting& setting : settings_table()) {
    const auto problem = setting.read(setting.standard, into);
    assert(setting.standard.empty() || !problem);
  }
}

std::optional<std::string> variable(const SettingSources& sources, const std::string& name) {
  const char* const text = sources.variable ? sources.variable(name.c_str()) : nullptr;
  if (text == nullptr || *text == '\0') return std::nullopt;
  return text;
}

const Setting& setting_named(std::string_view name) {
  const auto table = settings_table();
  return *std::find_if(table.begin(), table.end(),
                       [&](const Setting& setting) { return setting.name == name; });
}

Expected<void> apply_file(const SettingSources& sources, Settings& into) {
  const auto path = sources.file ? sources.file : variable(sources, "TIDEGATE_CONFIG");
  if (!path) return {};
  const auto settings = read_settings_file(*path);
  if (!settings) return tl::unexpected{settings.error()};
  for (const FileSetting& given : *settings) {
    const Setting& setting = setting_named(given.name);
    auto applied = apply(setting, given.text, given.place + ": " + setting.key(), into);
    if (!applied) return applied;
  }
  return {};
}

Expected<void> apply_variables(const SettingSources& sources, Settings& into) {
  for (const Setting& setting : settings_table()) {
    const auto text = variable(sources, setting.variable());
    if (!text) continue;
    if (auto applied = apply(setting, *text, setting.variable(), into); !applied) return applied;
  }
  return {};
}

Expected<void> apply_flags(const SettingSources& sources, Settings& into) {
  for (const Setting& setting : settings_table()) {
    const auto given = sources.flags.find(std::string{setting.name});
    if (given == sources.flags.end()) continue;
    if (auto applied = apply(setting, given->second, setting.flag(), into); !applied)
      return applied;
  }
  return {};
}

// The files of one protocol's TLS, whose settings begin alike.
Expected<void> check_tls(const std::string& prefix, const std::string& cert, const std::string& key,
                         const std::string& client_ca) {
  const std::string cert_flag = prefix + "-cert";
  const std::string key_flag = prefix + "-key";
  if (!cert.empty() && key.empty())
    return error(cert_flag, "needs " + key_flag + ", the certificate's key");
  if (!key.empty() && cert.empty())
    return error(key_flag, "needs " + cert_flag + ", the key's certificate");
  if (!client_ca.empty() && cert.empty())
    return error(prefix + "-client-ca", "needs TLS: " + cert_flag + " and " + key_flag);
  return {};
}

// What no setting shows by itself.
Expected<void> check(const Settings& settings) {
  if (settings.resp.empty() && settings.http.empty() && settings.grpc.empty())
    return error("--resp none", "then nobody could ask: give --http or --grpc an address");
  return check_tls("--resp-tls", settings.resp_tls_cert, settings.resp_tls_key,
                   settings.resp_tls_client_ca)
      .and_then([&] {
        return check_tls("--grpc-tls", settings.grpc_tls_cert, settings.grpc_tls_key,
                         settings.grpc_tls_client_ca);
      });
}

}  // namespace

Expected<Settings> read_settings(const SettingSources& sources) {
  Settings settings;
  apply_defaults(settings);
  return apply_file(sources, settings)
      .and_then([&] { return apply_variables(sources, settings); })
      .and_then([&] { return apply_flags(sources, settings); })
      .and_then([&] { return check(settings); })
      .map([&] { return std::move(settings); });
}

}  // namespace tidegate::server
