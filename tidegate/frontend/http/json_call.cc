#include "tidegate/frontend/http/json_call.h"

#include <memory>
#include <string>
#include <utility>

#include "tidegate/frontend/rls/answer.h"
#include "tidegate/frontend/rls/request.h"
#include "tidegate/frontend/rule_call.h"

namespace tidegate::frontend::http {
namespace {

constexpr std::string_view kJsonType = "application/json";

Reply bad(const Error& problem) {
  return {.status = 400, .body = problem.message() + "\n"};
}

Reply reply_to(const RuleCall& call) {
  if (call.problem()) return bad(*call.problem());
  rls::Answer answer;
  answer.write(call);
  const Expected<std::string> json = answer.json();
  if (!json) return {.status = 500, .body = json.error().message() + "\n"};
  Reply reply{.body = *json, .type = kJsonType};
  if (answer.over_limit()) {
    reply.status = 429;
    if (const auto seconds = rls::seconds_to_wait(*call.bound()))
      reply.fields = "Retry-After: " + std::to_string(*seconds) + "\r\n";
  }
  return reply;
}

// A request whose answer may come after its connection has gone; it goes when it completes.
class JsonCall final : public RuleCall {
 public:
  explicit JsonCall(Exchange exchange)
      : RuleCall{Protocol::kHttp,
                 [](RuleCall& call) {
                   const std::unique_ptr<JsonCall> self{static_cast<JsonCall*>(&call)};
                   self->exchange_.answer(reply_to(*self));
                 }},
        exchange_{std::move(exchange)} {}

 private:
  Exchange exchange_;
};

}  // namespace

void ask_in_json(std::string_view body, Exchange exchange) {
  RuleLoop& rules = exchange.loop().rules;
  rls::Request request;
  if (auto read = request.read_json(body, rules.rules().default_algorithm()); !read)
    return exchange.answer(bad(read.error()));
  rules.ask(request.descriptors(), *new JsonCall{std::move(exchange)});  // it owns itself from here
}

}  // namespace tidegate::frontend::http
