#include "tidegate/server/server.h"

#include <optional>
#include <utility>

#include "tidegate/frontend/grpc/service.h"
#include "tidegate/frontend/http/pages.h"
#include "tidegate/frontend/http/service.h"
#include "tidegate/frontend/resp/service.h"
#include "tidegate/frontend/rule_service.h"
#include "tidegate/net/event_loop.h"
#include "tidegate/net/network.h"
#include "tidegate/net/notify.h"
#include "tidegate/server/denial_log.h"
#include "tidegate/server/from_settings.h"
#include "tidegate/server/metrics.h"
#include "tidegate/server/network_log.h"
#include "tidegate/server/rule_files.h"
#include "tidegate/server/stores.h"
#include "tidegate/server/top_keys.h"

namespace tidegate::server {
namespace {

constexpr char kRespRefusal[] = "-ERR max number of clients reached\r\n";
constexpr char kHttpRefusal[] =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

// So often health that is watched is looked at, and the age of connections.
constexpr Duration kGrpcTick = std::chrono::milliseconds{200};

// All mistakes as one error: the first, then the others a line each.
Error as_one(const std::vector<Error>& mistakes) {
  Error all = mistakes.front();
  for (std::size_t i = 1; i < mistakes.size(); ++i) all.what += "\n" + mistakes[i].message();
  return all;
}

}  // namespace

// What lives on one event loop.
struct PerLoop {
  PerLoop(frontend::RuleService& rule_service, frontend::RespService& resp_service,
          frontend::HttpService& http_service, frontend::GrpcService& grpc_service,
          std::size_t index)
      : rules{rule_service},
        resp{resp_service, rules},
        http{http_service, rules, index},
        grpc{grpc_service, rules} {}

  frontend::RuleLoop rules;
  frontend::RespLoop resp;
  frontend::HttpLoop http;
  frontend::GrpcLoop grpc;
};

// Each part is given those above it; they go in the opposite order, the connections first.
struct Server::Parts final : frontend::Pages {
  Parts(const Settings& given, const std::string& version, const Secrets& secrets,
        const Clock& clock, Log& to, std::unique_ptr<Stores> opened);
  // What still waits for a store is answered into the loops.
  ~Parts() override { stores->stop(); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  bool ready() const override { return !network_log.is_draining(); }
  std::string metrics() const override;
  std::string top(std::size_t most) const override { return top_json(denied, taken, most); }
  void reload(std::size_t loop, std::function<void(std::vector<Error>)> done) override;

  void on_decision(std::string_view key, const Limit& limit, const Decision& decision);
  frontend::RuleOptions rule_options();
  frontend::RespOptions resp_options(const std::string& password);
  Expected<void> load_rules();
  Expected<void> listen();
  Expected<void> listen(const net::Listen& what, std::string_view protocol);
  void say_what_is_served() const;
  void say_where(const net::Listen& what, const net::Address& address,
                 std::string_view protocol) const;

  const Settings settings;
  const std::string version;
  Log& log;
  std::optional<DenialLog> denials;
  TopKeys denied;
  TopKeys taken;
  std::unique_ptr<Stores> stores;
  NetworkLog network_log;
  frontend::RuleService rules;
  frontend::RespService resp;
  frontend::HttpService http;
  frontend::GrpcService grpc;
  std::vector<std::unique_ptr<PerLoop>> loops;
  net::Network network;
  RuleFiles rule_files;
  std::vector<net::Address> addresses;
};

Server::Parts::Parts(const Settings& given, const std::string& what, const Secrets& secrets,
                     const Clock& clock, Log& to, std::unique_ptr<Stores> opened)
    : settings{given},
      version{what},
      log{to},
      stores{std::move(opened)},
      network_log{to},
      rules{stores->store(), clock, rule_options()},
      resp{stores->store(), clock, resp_options(secrets.resp_password)},
      http{*this, {.reload_token = secrets.reload_token, .max_output = given.max_output}},
      grpc{[this] { return ready(); }, grpc_options(given)},
      network{network_options(given), network_log},
      rule_files{rule_files_options(given), rules, to, clock} {
  if (given.log_denials.capacity() > 0) denials.emplace(given.log_denials, to, clock);
  for (std::size_t i = 0; i < threads_of(given); ++i) {
    loops.push_back(std::make_unique<PerLoop>(rules, resp, http, grpc, i));
    if (!given.grpc.empty())
      network.loop(i).every(kGrpcTick, [&loop = loops.back()->grpc] { loop.tick(); });
  }
  RedisStore::Loops contexts;
  for (std::size_t i = 0; i < loops.size(); ++i) contexts.push_back(&network.loop(i).context());
  stores->start(contexts);
}

void Server::Parts::on_decision(std::string_view key, const Limit& limit,
                                const Decision& decision) {
  if (!decision.allowed && denials) denials->denied(key, limit, decision);
  if (!settings.http.empty()) (decision.allowed ? taken : denied).add(key);
}

std::string Server::Parts::metrics() const {
  return server::metrics(
      {version, protocols_of(settings), rules, resp, http, grpc, *stores, network, rule_files});
}

frontend::RuleOptions Server::Parts::rule_options() {
  frontend::RuleOptions options{.charge = settings.charge_in_use()};
  if (settings.log_denials.capacity() > 0 || !settings.http.empty())
    options.on_decision = [this](auto key, const auto& limit, const auto& decision) {
      on_decision(key, limit, decision);
    };
  return options;
}

frontend::RespOptions Server::Parts::resp_options(const std::string& password) {
  frontend::RespOptions options{.version = version, .password = password};
  options.charge = settings.charge_in_use();
  options.max_output = settings.max_output;
  options.on_decision = rule_options().on_decision;
  return options;
}

Expected<void> Server::Parts::load_rules() {
  if (settings.rules.empty()) return {};
  if (const auto mistakes = rule_files.load(); !mistakes.empty())
    return tl::unexpected{as_one(mistakes)};
  rule_files.watch();
  return {};
}

void Server::Parts::reload(std::size_t loop, std::function<void(std::vector<Error>)> done) {
  if (settings.rules.empty())
    return done({{"--rules", "none were given, so there is nothing to load"}});
  rule_files.reload([this, loop, done = std::move(done)](std::vector<Error> mistakes) {
    network.loop(loop).post([done, mistakes = std::move(mistakes)] { done(mistakes); });
  });
}

Expected<void> Server::Parts::listen(const net::Listen& what, std::string_view protocol) {
  const auto bound = network.listen(what);
  if (!bound) return tl::unexpected{bound.error()};
  addresses.push_back(*bound);
  say_where(what, *bound, protocol);
  return {};
}

Expected<void> Server::Parts::listen() {
  const auto to_resp = [this](const net::Peer& peer) {
    return loops[peer.loop]->resp.connect(peer.address);
  };
  const auto to_http = [this](const net::Peer& peer) {
    return loops[peer.loop]->http.connect(peer.address);
  };
  const auto to_grpc = [this](const net::Peer& peer) { return loops[peer.loop]->grpc.connect(); };
  for (const net::Address& address : settings.resp)
    if (auto done = listen({address, to_resp, kRespRefusal, resp_tls(settings)}, "resp"); !done)
      return done;
  for (const net::Address& address : settings.http)
    if (auto done = listen({address, to_http, kHttpRefusal}, "http"); !done) return done;
  for (const net::Address& address : settings.grpc)
    if (auto done = listen({address, to_grpc, "", grpc_tls(settings), {"h2"}}, "grpc"); !done)
      return done;
  return {};
}

void Server::Parts::say_what_is_served() const {
  const bool each = settings.charge_in_use() == Charge::kEach;
  log.info("serving", {{"version", version},
                       {"threads", loops.size()},
                       {"charge", each ? "each" : "all_or_nothing"}});
  stores->say_what_they_are(settings, log);
}

void Server::Parts::say_where(const net::Listen& what, const net::Address& address,
                              std::string_view protocol) const {
  const auto on = [](bool is_on) { return is_on ? "on" : "off"; };
  const bool has_password = protocol == "resp" && !settings.resp_password_file.empty();
  log.info("listening", {{"protocol", protocol},
                         {"address", address.to_string()},
                         {"tls", on(what.tls.has_value())},
                         {"client_certificates", on(what.tls && !what.tls->client_ca.empty())},
                         {"password", on(has_password)},
                         {"max_connections", settings.max_connections},
                         {"max_output", settings.max_output}});
}

Expected<std::unique_ptr<Server>> Server::start(const Settings& settings,
                                                const std::string& version, const Clock& clock,
                                                Log& log) {
  const auto secrets = Secrets::read(settings);
  if (!secrets) return tl::unexpected{secrets.error()};
  auto stores = Stores::open(settings, clock, log);
  if (!stores) return tl::unexpected{std::move(stores).error()};
  auto parts = std::make_unique<Parts>(settings, version, *secrets, clock, log, *std::move(stores));
  parts->say_what_is_served();
  if (auto loaded = parts->load_rules(); !loaded) return tl::unexpected{loaded.error()};
  if (auto listening = parts->listen(); !listening) return tl::unexpected{listening.error()};
  return std::unique_ptr<Server>{new Server{std::move(parts)}};
}

Server::Server(std::unique_ptr<Parts> parts) : parts_{std::move(parts)} {}

Server::~Server() = default;

const std::vector<net::Address>& Server::addresses() const {
  return parts_->addresses;
}

void Server::obey_signals() {
  parts_->network.obey_signals([this] {
    if (parts_->settings.rules.empty()) return parts_->log.info("nothing to reload by SIGHUP");
    parts_->rule_files.reload([](const std::vector<Error>&) {});
  });
}

void Server::run() {
  net::notify("READY=1");
  parts_->network.run();
  const frontend::RespCounts counts = parts_->resp.counts();
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
