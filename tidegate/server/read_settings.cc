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

// What no setting shows by itself.
Expected<void> check(const Settings& settings) {
  const bool cert = !settings.resp_tls_cert.empty();
  const bool key = !settings.resp_tls_key.empty();
  if (cert && !key) return error("--resp-tls-cert", "needs --resp-tls-key, the certificate's key");
  if (key && !cert) return error("--resp-tls-key", "needs --resp-tls-cert, the key's certificate");
  if (settings.resp.empty() && settings.http.empty())
    return error("--resp none", "then nobody could ask: give --http an address");
  if (!settings.resp_tls_client_ca.empty() && !cert)
    return error("--resp-tls-client-ca", "needs TLS: --resp-tls-cert and --resp-tls-key");
  return {};
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
