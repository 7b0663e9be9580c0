#include "tidegate/frontend/http/reload.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tidegate/frontend/same_secret.h"

namespace tidegate::frontend::http {
namespace {

bool is_this_machine(std::string_view peer) {
  return peer.starts_with("unix:") || peer.starts_with("127.") || peer.starts_with("[::1]:") ||
         peer.starts_with("[::ffff:127.");
}

bool from_a_browser(const Request& request) {
  return !request.origin.empty() || (!request.fetch_site.empty() && request.fetch_site != "none");
}

bool knows(std::string_view token, std::string_view authorization) {
  constexpr std::string_view kScheme = "Bearer ";
  return !token.empty() && authorization.starts_with(kScheme) &&
         same_secret(authorization.substr(kScheme.size()), token);
}

bool may_reload(const Request& request, std::string_view peer, std::string_view token) {
  return knows(token, request.authorization) || (is_this_machine(peer) && !from_a_browser(request));
}

Reply outcome(const std::vector<Error>& mistakes) {
  if (mistakes.empty()) return {.body = "reloaded\n"};
  std::string body;
  for (const Error& mistake : mistakes) body += mistake.message() + "\n";
  return {.status = 400, .body = body + "the rules that were in use still are\n"};
}

}  // namespace

void reload_rules(const Request& request, std::string_view peer, Exchange exchange) {
  HttpLoop& loop = exchange.loop();
  if (!may_reload(request, peer, loop.service().options().reload_token))
    return exchange.answer(
        {.status = 403,
         .body = "only from this machine and not from a browser, or with Authorization: Bearer and "
                 "the token of --http-reload-token-file\n"});
  const auto waiting = std::make_shared<Exchange>(std::move(exchange));
  loop.service().pages().reload(loop.index, [waiting](const std::vector<Error>& mistakes) {
    waiting->answer(outcome(mistakes));
  });
}

}  // namespace tidegate::frontend::http
