#include "tidegate/server/from_settings.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "tidegate/server/password.h"

namespace tidegate::server {
namespace {

Expected<std::string> secret_in(const std::string& path) {
  if (path.empty()) return std::string{};
  return read_password(path);
}

std::optional<net::TlsFiles> tls_files(const std::string& cert, const std::string& key,
                                       const std::string& client_ca) {
  if (cert.empty()) return std::nullopt;
  return net::TlsFiles{.cert = cert, .key = key, .client_ca = client_ca};
}

}  // namespace

std::size_t threads_of(const Settings& settings) {
  if (settings.threads > 0) return settings.threads;
  return std::max(std::thread::hardware_concurrency(), 1u);
}

net::NetworkOptions network_options(const Settings& settings) {
  return {.threads = threads_of(settings),
          .max_connections = settings.max_connections,
          .max_output = settings.max_output,
          .timeouts = {.idle = settings.idle_timeout,
                       .write = settings.write_timeout,
                       .drain = settings.drain_timeout}};
}

frontend::GrpcOptions grpc_options(const Settings& settings) {
  return {.answer = {.headers = settings.response_headers,
                     .dynamic_metadata = settings.dynamic_metadata == Switch::kOn},
          .max_connection_age = settings.grpc_max_connection_age,
          .max_connection_age_grace = settings.grpc_max_connection_age_grace,
          .http2 = {.max_output = settings.max_output}};
}

RuleFilesOptions rule_files_options(const Settings& settings) {
  return {.paths = settings.rules, .load = {.default_algorithm = settings.algorithm_in_use()}};
}

std::optional<net::TlsFiles> resp_tls(const Settings& settings) {
  return tls_files(settings.resp_tls_cert, settings.resp_tls_key, settings.resp_tls_client_ca);
}

std::optional<net::TlsFiles> grpc_tls(const Settings& settings) {
  return tls_files(settings.grpc_tls_cert, settings.grpc_tls_key, settings.grpc_tls_client_ca);
}

std::vector<frontend::Protocol> protocols_of(const Settings& settings) {
  std::vector<frontend::Protocol> protocols;
  if (!settings.resp.empty()) protocols.push_back(frontend::Protocol::kResp);
  if (!settings.http.empty()) protocols.push_back(frontend::Protocol::kHttp);
  if (!settings.grpc.empty()) protocols.push_back(frontend::Protocol::kGrpc);
  return protocols;
}

Expected<Secrets> Secrets::read(const Settings& settings) {
  auto password = secret_in(settings.resp_password_file);
  if (!password) return tl::unexpected{std::move(password).error()};
  auto token = secret_in(settings.http_reload_token_file);
  if (!token) return tl::unexpected{std::move(token).error()};
  return Secrets{*std::move(password), *std::move(token)};
}

}  // namespace tidegate::server
