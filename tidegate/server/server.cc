#include "tidegate/server/server.h"

#include <algorithm>
#include <optional>
#include <thread>

#include "tidegate/frontend/resp/service.h"
#include "tidegate/frontend/rule_service.h"
#include "tidegate/net/event_loop.h"
#include "tidegate/net/network.h"
#include "tidegate/net/notify.h"
#include "tidegate/server/denial_log.h"
#include "tidegate/server/network_log.h"
#include "tidegate/server/password.h"
#include "tidegate/server/store_log.h"
#include "tidegate/store/memory/memory_store.h"
#include "tidegate/store/memory/sweeper.h"
#include "tidegate/store/redis/redis_store.h"
#include "tidegate/store/redis/url.h"

namespace tidegate::server {
namespace {

constexpr char kRefusal[] = "-ERR max number of clients reached\r\n";

std::size_t threads_of(const Settings& settings) {
  if (settings.threads > 0) return settings.threads;
  return std::max(std::thread::hardware_concurrency(), 1u);
}

Expected<std::string> password_of(const Settings& settings) {
  if (settings.resp_password_file.empty()) return std::string{};
  return read_password(settings.resp_password_file);
}

net::NetworkOptions network_options(const Settings& settings) {
  return {.threads = threads_of(settings),
          .max_connections = settings.max_connections,
          .max_output = settings.max_output,
          .timeouts = {.idle = settings.idle_timeout,
                       .write = settings.write_timeout,
                       .drain = settings.drain_timeout}};
}

std::optional<net::TlsFiles> tls_files(const Settings& settings) {
  if (settings.resp_tls_cert.empty()) return std::nullopt;
  return net::TlsFiles{.cert = settings.resp_tls_cert,
                       .key = settings.resp_tls_key,
                       .client_ca = settings.resp_tls_client_ca};
}

// A store that keeps its states in this process.
struct InMemory {
  InMemory(const Settings& settings, const Clock& clock)
      : store{{.max_memory = settings.max_memory, .on_full = settings.on_full}, clock},
        sweeper{store} {}
  MemoryStore store;
  Sweeper sweeper;
};

// Null when the settings name no Redis.
Expected<std::unique_ptr<RedisStore>> open_redis(const Settings& settings, const Clock& clock,
                                                 RedisEvents& events) {
  if (settings.store.empty()) return nullptr;
  RedisOptions defaults;
  defaults.timeout = settings.store_timeout;
  defaults.on_store_error = settings.on_store_error;
  return parse_redis_url(settings.store, defaults).and_then([&](const RedisOptions& options) {
    return RedisStore::open(options, {.events = &events, .clock = &clock, .check_server = true});
  });
}

}  // namespace

// Each part is given those above it; they go in the opposite order, the connections first.
struct Server::Parts {
  Parts(const Settings& given, const std::string& version, const std::string& password,
        const Clock& clock, Log& to, std::unique_ptr<StoreLog> events,
        std::unique_ptr<RedisStore> opened)
      : settings{given},
        log{to},
        store_log{std::move(events)},
        redis{std::move(opened)},
        memory{redis ? nullptr : std::make_unique<InMemory>(given, clock)},
        network_log{to},
        rules{store(), clock, rule_options()},
        service{store(), clock, resp_options(version, password)},
        network{network_options(given), network_log} {
    if (given.log_denials.capacity() > 0) denials.emplace(given.log_denials, to, clock);
    for (std::size_t i = 0; i < threads_of(given); ++i) {
      rule_loops.push_back(std::make_unique<frontend::RuleLoop>(rules));
      loops.push_back(std::make_unique<frontend::RespLoop>(service, *rule_loops.back()));
    }
    if (redis) start_redis();
  }
  // What still waits for Redis is answered into the loops.
  ~Parts() {
    if (redis) redis->stop();
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  Store& store() const { return redis ? static_cast<Store&>(*redis) : memory->store; }
  void start_redis();
  frontend::RuleOptions rule_options();
  frontend::RespOptions resp_options(const std::string& version, const std::string& password);
  Expected<void> listen();
  void say_what_is_served(const std::string& version) const;
  void say_where(const net::Address& address) const;

  const Settings settings;
  Log& log;
  std::optional<DenialLog> denials;
  std::unique_ptr<StoreLog> store_log;
  std::unique_ptr<RedisStore> redis;  // one of the two
  std::unique_ptr<InMemory> memory;
  NetworkLog network_log;
  frontend::RuleService rules;
  frontend::RespService service;
  std::vector<std::unique_ptr<frontend::RuleLoop>> rule_loops;
  std::vector<std::unique_ptr<frontend::RespLoop>> loops;
  net::Network network;
  std::vector<net::Address> addresses;
};

void Server::Parts::start_redis() {
  RedisStore::Loops contexts;
  for (std::size_t i = 0; i < loops.size(); ++i) contexts.push_back(&network.loop(i).context());
  redis->start(contexts);
}

frontend::RuleOptions Server::Parts::rule_options() {
  frontend::RuleOptions options{.charge = settings.charge};
  if (settings.log_denials.capacity() > 0)
    options.on_decision = [this](std::string_view key, const Limit& limit,
                                 const Decision& decision) {
      if (!decision.allowed) denials->denied(key, limit, decision);
    };
  return options;
}

frontend::RespOptions Server::Parts::resp_options(const std::string& version,
                                                  const std::string& password) {
  frontend::RespOptions options{.version = version, .password = password};
  options.charge = settings.charge;
  options.max_output = settings.max_output;
  if (settings.log_denials.capacity() > 0)
    options.on_denial = [this](std::string_view key, const Limit& limit, const Decision& decision) {
      denials->denied(key, limit, decision);
    };
  return options;
}

Expected<void> Server::Parts::listen() {
  for (const net::Address& address : settings.resp) {
    const auto connect = [this](const net::Peer& peer) {
      return loops[peer.loop]->connect(peer.address);
    };
    const auto bound = network.listen(
        {.address = address, .connect = connect, .farewell = kRefusal, .tls = tls_files(settings)});
    if (!bound) return tl::unexpected{bound.error()};
    addresses.push_back(*bound);
  }
  return {};
}

void Server::Parts::say_what_is_served(const std::string& version) const {
  log.info("serving", {{"version", version},
                       {"threads", loops.size()},
                       {"charge", settings.charge == Charge::kEach ? "each" : "all_or_nothing"}});
  if (redis) {
    const bool denies = redis->options().on_store_error == OnStoreError::kDeny;
    log.info("counters shared", {{"store", place(redis->options())},
                                 {"timeout", in_words(redis->options().timeout)},
                                 {"without_it", denies ? "deny" : "allow"}});
  } else {
    log.info("counters in this process alone, until it ends",
             {{"max_memory", settings.max_memory},
              {"on_full", settings.on_full == OnFull::kEvict ? "evict" : "deny_new"}});
  }
}

void Server::Parts::say_where(const net::Address& address) const {
  const auto on = [](bool is_on) { return is_on ? "on" : "off"; };
  log.info("listening", {{"protocol", "resp"},
                         {"address", address.to_string()},
                         {"tls", on(!settings.resp_tls_cert.empty())},
                         {"client_certificates", on(!settings.resp_tls_client_ca.empty())},
                         {"password", on(!settings.resp_password_file.empty())},
                         {"max_connections", settings.max_connections},
                         {"max_output", settings.max_output}});
}

Expected<std::unique_ptr<Server>> Server::start(const Settings& settings, std::string version,
                                                const Clock& clock, Log& log) {
  const auto password = password_of(settings);
  if (!password) return tl::unexpected{password.error()};
  auto store_log = std::make_unique<StoreLog>(log, clock);
  auto redis = open_redis(settings, clock, *store_log);
  if (!redis) return tl::unexpected{redis.error()};
  auto parts = std::make_unique<Parts>(settings, version, *password, clock, log,
                                       std::move(store_log), *std::move(redis));
  if (auto listening = parts->listen(); !listening) return tl::unexpected{listening.error()};
  parts->say_what_is_served(version);
  for (const net::Address& address : parts->addresses) parts->say_where(address);
  return std::unique_ptr<Server>{new Server{std::move(parts)}};
}

Server::Server(std::unique_ptr<Parts> parts) : parts_{std::move(parts)} {}

Server::~Server() = default;

const std::vector<net::Address>& Server::addresses() const {
  return parts_->addresses;
}

void Server::obey_signals() {
  parts_->network.obey_signals([this] { parts_->log.info("nothing to reload by SIGHUP"); });
}

void Server::run() {
  net::notify("READY=1");
  parts_->network.run();
  const frontend::RespCounts counts = parts_->service.counts();
  parts_->denials.reset();
  parts_->log.info("stopped", {{"connections", counts.connected},
                               {"commands", counts.commands},
                               {"allowed", counts.allowed},
                               {"denied", counts.denied}});
}

void Server::stop() {
  parts_->network.drain();
}

}  // namespace tidegate::server
