#include "tidegate/frontend/http/routes.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "tidegate/base/quote.h"
#include "tidegate/frontend/http/json_call.h"
#include "tidegate/frontend/http/reload.h"
#include "tidegate/frontend/http/rule_dump.h"

namespace tidegate::frontend::http {
namespace {

constexpr std::string_view kMetricsType = "text/plain; version=0.0.4; charset=utf-8";
constexpr std::string_view kJsonType = "application/json";

// Of the request that is being answered.
struct Asked {
  const Request& request;
  std::string_view peer;
};

void answer_alive(const Asked&, Exchange exchange) {
  exchange.answer({.body = "OK\n"});
}

// What envoyproxy/ratelimit answers: without a body when traffic should not come here.
void health_check(const Asked&, Exchange exchange) {
  const bool ready = exchange.loop().service().pages().ready();
  exchange.answer({.status = ready ? 200 : 500, .body = ready ? "OK" : ""});
}

void answer_ready(const Asked&, Exchange exchange) {
  const bool ready = exchange.loop().service().pages().ready();
  exchange.answer({.status = ready ? 200 : 503, .body = ready ? "ready\n" : "not ready\n"});
}

void metrics(const Asked&, Exchange exchange) {
  exchange.answer({.body = exchange.loop().service().pages().metrics(), .type = kMetricsType});
}

void dump_rules(const Asked&, Exchange exchange) {
  exchange.answer({.body = dump(exchange.loop().rules.rules())});
}

// A number of a query, `most=20`; the default when it is not there or is none.
std::size_t number_in(std::string_view query, std::string_view name, std::size_t value) {
  for (; !query.empty(); query.remove_prefix(std::min(query.find('&'), query.size() - 1) + 1)) {
    const std::string_view word = query.substr(0, query.find('&'));
    if (!word.starts_with(name) || word.substr(name.size(), 1) != "=") continue;
    const std::string_view digits = word.substr(name.size() + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
  }
  return value;
}

void top(const Asked& asked, Exchange exchange) {
  constexpr std::size_t kUsual = 20;
  constexpr std::size_t kMost = 1000;
  const std::size_t most = std::min(number_in(asked.request.query, "most", kUsual), kMost);
  exchange.answer({.body = exchange.loop().service().pages().top(most), .type = kJsonType});
}

void json(const Asked& asked, Exchange exchange) {
  ask_in_json(asked.request.body, std::move(exchange));
}

void reload(const Asked& asked, Exchange exchange) {
  reload_rules(asked.request, asked.peer, std::move(exchange));
}

struct Route {
  std::string_view path;
  std::string_view methods;  // as in `Allow`; empty: any
  void (*answer)(const Asked& asked, Exchange exchange);
};
constexpr Route kRoutes[] = {
    {"/json", "", json},
    {"/healthcheck", "GET, HEAD", health_check},
    {"/healthz", "GET, HEAD", answer_alive},
    {"/readyz", "GET, HEAD", answer_ready},
    {"/metrics", "GET, HEAD", metrics},
    {"/rlconfig", "GET, HEAD", dump_rules},
    {"/v1/top", "GET, HEAD", top},
    {"/-/reload", "POST", reload},
};

bool takes(const Route& route, std::string_view method) {
  return route.methods.empty() || route.methods == method ||
         (route.methods == "GET, HEAD" && (method == "GET" || method == "HEAD"));
}

Reply not_found(std::string_view path) {
  std::string body = "no page " + quoted(path) + "; there are";
  for (const Route& route : kRoutes) body.append(" ").append(route.path);
  return {.status = 404, .body = body + "\n"};
}

Reply not_allowed(const Route& route, std::string_view method) {
  const std::string allowed{route.methods};
  return {.status = 405,
          .body = std::string{route.path} + " takes " + allowed + ", not " + quoted(method) + "\n",
          .fields = "Allow: " + allowed + "\r\n"};
}

}  // namespace

void carry_out(const Request& request, std::string_view peer, Exchange exchange) {
  const auto* const route =
      std::find_if(std::begin(kRoutes), std::end(kRoutes),
                   [&](const Route& one) { return one.path == request.path; });
  if (route == std::end(kRoutes)) return exchange.answer(not_found(request.path));
  if (!takes(*route, request.method)) return exchange.answer(not_allowed(*route, request.method));
  route->answer({request, peer}, std::move(exchange));
}

}  // namespace tidegate::frontend::http
