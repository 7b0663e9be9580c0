// The gRPC front end: any bytes of a connection, whole and in two pieces, come to the same answers
// within bounds; any message of a call is answered or refused. The first byte chooses: in its two
// lowest bits whether the rest is a connection, a RateLimitRequest or what reflection and health
// are asked; in the others where the pieces are cut.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tidegate/base/clock.h"
#include "tidegate/frontend/grpc/gunzip.h"
#include "tidegate/frontend/grpc/health.h"
#include "tidegate/frontend/grpc/reflection.h"
#include "tidegate/frontend/grpc/service.h"
#include "tidegate/frontend/rls/answer.h"
#include "tidegate/frontend/rls/request.h"
#include "tidegate/frontend/rule_call.h"
#include "tidegate/frontend/rule_service.h"
#include "tidegate/rules/load.h"
#include "tidegate/store/memory/memory_store.h"

namespace {

using namespace tidegate;  // NOLINT(google-build-using-namespace)

void require(bool fact) {
  if (!fact) std::abort();
}

std::shared_ptr<const rules::RuleSet> some_rules() {
  static const rules::Source kSource{"rules.yaml", R"(
domain: api
descriptors:
  - key: user
    rate_limit: {limit: 5/60s, name: user}
    metadata: {tier: [1, two, {three: 3}]}
  - {key: free, rate_limit: {unlimited: true}}
  - {key: trial, shadow_mode: true, rate_limit: {limit: 1/h, replaces: [{name: user}]}}
)"};
  static const rules::Loaded kLoaded = rules::load({&kSource, 1}, {});
  return kLoaded.rules;
}

constexpr frontend::rls::AnswerOptions kAll{.headers = frontend::rls::ResponseHeaders::kIetf,
                                            .dynamic_metadata = true};

struct Server {
  Server() { rules.use(some_rules()); }

  ManualClock clock;
  MemoryStore store{{.max_keys = 1'000}, clock};
  frontend::RuleService rules{store, clock, {}};
  frontend::RuleLoop rule_loop{rules};
  frontend::GrpcService service{
      [] { return true; },
      {.answer = kAll, .max_message = 1'000, .http2 = {.max_output = 100'000}}};
  frontend::GrpcLoop loop{service, rule_loop};
};

std::array<std::uint64_t, grpc::kCodes> answers(std::string_view first, std::string_view rest) {
  Server server;
  const auto conversation = server.loop.connect();
  for (const std::string_view piece : {first, rest}) {
    if (!conversation->finished()) conversation->feed(std::string{piece});
    require(conversation->output().size() < 200'000);
    conversation->sent(conversation->output().size());
  }
  conversation->drain();
  server.loop.tick();
  return server.service.counts().answers;
}

void ask(std::string_view message) {
  Server server;
  frontend::rls::Request request;
  if (!request.read_binary(message, Algorithm::kSlidingWindow)) return;
  frontend::RuleCall call{frontend::Protocol::kGrpc, [](frontend::RuleCall&) {}};
  server.rule_loop.ask(request.descriptors(), call);
  if (call.problem()) return;
  frontend::rls::Answer answer;
  answer.write(call, kAll, request.descriptors());
  require(answer.over_limit() != call.allowed());
  std::string bytes;
  answer.append_binary(bytes);
  require(!bytes.empty() && answer.json().has_value());
}

void ask_of_itself(std::string_view message) {
  std::string text;
  const bool whole = !frontend::gunzip(message, 10'000, text);
  require(!whole || text.size() <= 10'000);
  require(frontend::reflect(message).has_value() || !message.empty());
  frontend::read_health_request(message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest{reinterpret_cast<const char*>(data) + 1, size - 1};
  const std::size_t cut = std::min(std::size_t{7} * (data[0] / 4), rest.size());
  switch (data[0] % 4) {
    case 0:
      ask(rest);
      break;
    case 1:
      ask_of_itself(rest);
      break;
    default:
      require(answers(rest, "") == answers(rest.substr(0, cut), rest.substr(cut)));
  }
  return 0;
}
