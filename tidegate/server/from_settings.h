// What the parts of a server are told, from its settings.
//
// Pure functions, but for those that read a secret from its file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tidegate/base/expected.h"
#include "tidegate/frontend/grpc/service.h"
#include "tidegate/frontend/protocol.h"
#include "tidegate/net/network.h"
#include "tidegate/net/tls.h"
#include "tidegate/server/rule_files.h"
#include "tidegate/server/settings.h"

namespace tidegate::server {

std::size_t threads_of(const Settings& settings);
net::NetworkOptions network_options(const Settings& settings);
frontend::GrpcOptions grpc_options(const Settings& settings);
RuleFilesOptions rule_files_options(const Settings& settings);

// Nothing where no certificate was given.
std::optional<net::TlsFiles> resp_tls(const Settings& settings);
std::optional<net::TlsFiles> grpc_tls(const Settings& settings);

// Those that have an address.
std::vector<frontend::Protocol> protocols_of(const Settings& settings);

// From files; empty without one.
struct Secrets {
  std::string resp_password;
  std::string reload_token;

  static Expected<Secrets> read(const Settings& settings);
};

}  // namespace tidegate::server
