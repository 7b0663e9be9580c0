#include "tidegate/server/metrics.h"

#include <span>

#include "tidegate/server/metric_families.h"

namespace tidegate::server {
namespace {

using frontend::Counted;
using frontend::Protocol;

double number(std::uint64_t count) {
  return static_cast<double>(count);
}

double seconds(Time time) {
  return static_cast<double>(time.time_since_epoch().count()) / 1e6;
}

class Page {
 public:
  explicit Page(const MetricSources& sources)
      : from_{sources}, rules_{sources.rules.counts()}, resp_{sources.resp.counts()} {}

  std::string text() {
    out_.gauge("tidegate_build_info", "Always 1; the version is a label.")
        .add({{"version", from_.version}}, 1);
    tell_of_decisions();
    tell_of_requests();
    tell_of_resp();
    tell_of_http();
    tell_of_grpc();
    tell_of_connections();
    tell_of_memory();
    if (from_.stores.redis() != nullptr) tell_of_redis();
    tell_of_rules();
    return out_.text();
  }

 private:
  void tell_of_decisions() {
    out_.counter("tidegate_decisions_total", "Decisions by the rules, of each rule.");
    for (const rules::Domain& domain : rules_.rules->domains())
      tell_of_decisions(domain.name, domain.rules);
  }

  void tell_of_decisions(std::string_view domain, std::span<const rules::Rule> rules) {
    for (const rules::Rule& rule : rules) {
      if (rule.limit || rule.unlimited) tell_of_decisions(domain, rule);
      tell_of_decisions(domain, rule.rules);
    }
  }

  void tell_of_decisions(std::string_view domain, const rules::Rule& rule) {
    for (const Protocol protocol : from_.protocols)
      for (std::size_t c = 0; c < frontend::kCounted; ++c)
        out_.add({{"domain", domain},
                  {"rule", rule.path},
                  {"outcome", name(Counted(c))},
                  {"protocol", name(protocol)}},
                 number(rules_.of_rules[rule.number].of(protocol, Counted(c))));
  }

  const frontend::RestCounts& rest(Protocol protocol) const {
    return rules_.rest[static_cast<std::size_t>(protocol)];
  }

  // One series a protocol.
  template <class Value>
  void by_protocol(Value value) {
    for (const Protocol protocol : from_.protocols)
      out_.add({{"protocol", name(protocol)}}, value(protocol));
  }

  void tell_of_requests() {
    out_.counter("tidegate_brought_limit_decisions_total",
                 "Decisions by limits that requests bring themselves.");
    for (const Protocol protocol : from_.protocols)
      out_.add({{"outcome", "allowed"}, {"protocol", name(protocol)}},
               number(rest(protocol).brought_allowed))
          .add({{"outcome", "denied"}, {"protocol", name(protocol)}},
               number(rest(protocol).brought_denied));
    out_.counter("tidegate_unlimited_descriptors_total",
                 "Descriptors that no limit met, or whose rule was replaced.");
    by_protocol([&](Protocol protocol) { return number(rest(protocol).without_limit); });
    out_.counter("tidegate_unknown_domain_requests_total",
                 "Requests that name a domain without rules.");
    by_protocol([&](Protocol protocol) { return number(rest(protocol).unknown_domain); });
    out_.counter("tidegate_request_errors_total", "Requests that were not decided.");
    by_protocol([&](Protocol protocol) { return number(rest(protocol).errors); });
    out_.histogram("tidegate_request_duration_seconds",
                   "From a whole request to its decision, the store's time included.");
    by_protocol([&](Protocol protocol) {
      frontend::Latency latency = rules_.latency[static_cast<std::size_t>(protocol)];
      if (protocol == Protocol::kResp) latency += resp_.latency;
      return latency;
    });
  }

  void tell_of_resp() {
    out_.counter("tidegate_resp_takes_total",
                 "Takes of commands that bring their limit, each by its own decision.")
        .add({{"outcome", "allowed"}}, number(resp_.allowed))
        .add({{"outcome", "denied"}}, number(resp_.denied));
    out_.counter("tidegate_resp_commands_total", "Commands of Redis clients.")
        .add({}, number(resp_.commands));
    out_.counter("tidegate_resp_errors_total", "Commands that were answered by an error.")
        .add({}, number(resp_.errors));
  }

  void tell_of_http() {
    const frontend::HttpCounts http = from_.http.counts();
    constexpr std::string_view kClasses[] = {"1xx", "2xx", "3xx", "4xx", "5xx"};
    out_.counter("tidegate_http_answers_total", "Answers over HTTP, by class of status.");
    for (std::size_t i = 0; i < http.answers.size(); ++i)
      out_.add({{"status", kClasses[i]}}, number(http.answers[i]));
  }

  void tell_of_grpc() {
    const frontend::GrpcCounts grpc = from_.grpc.counts();
    out_.counter("tidegate_grpc_answers_total", "Answers by gRPC, by their status code.");
    for (std::size_t i = 0; i < grpc.answers.size(); ++i)
      out_.add({{"code", to_text(static_cast<tidegate::grpc::Code>(i))}}, number(grpc.answers[i]));
    out_.gauge("tidegate_connections", "Connections that are open.")
        .add({{"protocol", "resp"}}, number(resp_.connections))
        .add({{"protocol", "http"}}, number(from_.http.counts().connections))
        .add({{"protocol", "grpc"}}, number(grpc.connections));
  }

  void tell_of_connections() {
    const net::NetworkCounters network = from_.network.counters();
    out_.counter("tidegate_connections_accepted_total", "Connections that were accepted.")
        .add({}, number(network.accepted));
    out_.counter("tidegate_connections_refused_total", "Connections above --max-connections.")
        .add({}, number(network.refused));
    out_.counter("tidegate_network_bytes_total", "Bytes of connections.")
        .add({{"direction", "in"}}, number(network.bytes_in))
        .add({{"direction", "out"}}, number(network.bytes_out));
  }

  void tell_of_memory() {
    const MemoryStoreCounters memory = from_.stores.memory().counters();
    out_.gauge("tidegate_memory_keys", "Keys with a state in this process.")
        .add({}, number(memory.keys));
    out_.gauge("tidegate_memory_bytes", "Memory of these states.").add({}, number(memory.bytes));
    out_.counter("tidegate_memory_forgotten_total",
                 "States forgotten: swept when neutral, evicted at the cap, erased by a reset.")
        .add({{"why", "swept"}}, number(memory.swept))
        .add({{"why", "evicted"}}, number(memory.evicted))
        .add({{"why", "erased"}}, number(memory.erased));
    out_.counter("tidegate_memory_denied_full_total",
                 "Takes denied because there was no room for their state.")
        .add({}, number(memory.denied_full));
  }

  void tell_of_redis() {
    const StoreCounts& counts = from_.stores.counts();
    out_.gauge("tidegate_store_connections", "Connections to the store that can be used.")
        .add({}, static_cast<double>(counts.connections()));
    out_.counter("tidegate_store_connect_failures_total", "Connections that could not be made.")
        .add({}, number(counts.failed_connects()));
    out_.gauge("tidegate_store_in_flight", "Requests without an answer.")
        .add({}, number(from_.stores.redis()->in_flight()));
    out_.histogram("tidegate_store_round_trip_seconds", "Requests that the store answered.")
        .add({}, counts.round_trips());
    out_.counter("tidegate_store_fallback_total",
                 "Requests that were answered without the store, and why.");
    for (std::size_t i = 0; i < kStoreTroubles; ++i)
      out_.add({{"why", name(StoreTrouble(i))}}, number(counts.degraded(StoreTrouble(i))));
  }

  void tell_of_rules() {
    const RuleFilesCounts files = from_.rule_files.counts();
    out_.gauge("tidegate_rules", "Rules in use.").add({}, number(rules_.rules->size()));
    out_.counter("tidegate_rule_loads_total", "Loadings of the rule files.")
        .add({{"result", "used"}}, number(files.loaded))
        .add({{"result", "refused"}}, number(files.refused));
    out_.gauge("tidegate_rules_loaded_timestamp_seconds", "When the rules in use were loaded.")
        .add({}, seconds(files.last_loaded));
  }

  const MetricSources& from_;
  const frontend::RuleService::Counts rules_;
  const frontend::RespCounts resp_;
  MetricFamilies out_;
};

}  // namespace

std::string metrics(const MetricSources& sources) {
  return Page{sources}.text();
}

}  // namespace tidegate::server
