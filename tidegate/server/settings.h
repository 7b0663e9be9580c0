// What a server is told: one value for each row of the table (settings_table.h), which says how it
// is written, its default and what it means.
//
// A plain value; read it with read_settings.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tidegate/algorithm/limit.h"
#include "tidegate/base/time.h"
#include "tidegate/frontend/rls/response_headers.h"
#include "tidegate/net/address.h"
#include "tidegate/server/log.h"
#include "tidegate/store/memory/memory_store.h"
#include "tidegate/store/store.h"

namespace tidegate::server {

// Another service whose ways are the defaults.
enum class Compat : std::uint8_t { kNone, kEnvoy };

enum class Switch : std::uint8_t { kOff, kOn };

struct Settings {
  std::vector<std::string> rules;  // paths of files and folders
  std::optional<Algorithm> default_algorithm;
  Compat compat = Compat::kNone;

  std::vector<net::Address> http;  // where to listen
  std::string http_reload_token_file;
  std::vector<net::Address> grpc;
  std::string grpc_tls_cert;  // paths of files; empty: none
  std::string grpc_tls_key;
  std::string grpc_tls_client_ca;
  Duration grpc_max_connection_age{0};  // 0: never
  Duration grpc_max_connection_age_grace{0};
  frontend::rls::ResponseHeaders response_headers = frontend::rls::ResponseHeaders::kNone;
  Switch dynamic_metadata = Switch::kOff;
  std::vector<net::Address> resp;
  std::string resp_tls_cert;
  std::string resp_tls_key;
  std::string resp_tls_client_ca;
  std::string resp_password_file;

  std::uint64_t threads = 0;  // 0: one for each core
  std::uint64_t max_connections = 0;
  std::uint64_t max_output = 0;  // bytes unsent to one client
  Duration idle_timeout{0};      // 0: never
  Duration write_timeout{0};
  Duration drain_timeout{0};

  std::string store;  // URL of a Redis; empty: this process. It may hold a secret
  Duration store_timeout{0};
  OnStoreError on_store_error = OnStoreError::kAllow;

  std::uint64_t max_memory = 0;  // 0: no cap
  OnFull on_full = OnFull::kEvict;
  std::optional<Charge> charge;

  LogLevel log_level = LogLevel::kInfo;
  LogFormat log_format = LogFormat::kText;
  Limit log_denials = "0/s"_limit;

  bool operator==(const Settings&) const = default;

  // What holds where nothing else was given.
  Charge charge_in_use() const {
    return charge.value_or(compat == Compat::kEnvoy ? Charge::kEach : Charge::kAllOrNothing);
  }
  Algorithm algorithm_in_use() const {
    return default_algorithm.value_or(compat == Compat::kEnvoy ? Algorithm::kFixedWindow
                                                               : Algorithm::kSlidingWindow);
  }
};

}  // namespace tidegate::server
