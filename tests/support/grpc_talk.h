// A gRPC conversation for tests: messages in as JSON, answers out as JSON.
//
//   GrpcTalk talk{"domain: api\n..."};
//   EXPECT_EQ(talk.limit(R"({"domain":"api",...})").json, R"({"overallCode":"OK",...})");
//
// Thread safety: as an int.
#pragma once

#include <envoy/service/ratelimit/v3/rls.pb.h>
#include <google/protobuf/util/json_util.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/rules/loaded.h"
#include "tests/support/http2_client.h"
#include "tidegate/base/clock.h"
#include "tidegate/frontend/grpc/service.h"
#include "tidegate/frontend/rule_service.h"
#include "tidegate/store/memory/memory_store.h"
#include "tidegate/wire/grpc.h"

namespace tidegate::test {

inline constexpr char kShouldRateLimit[] =
    "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

// What a call came to.
struct GrpcResult {
  std::string status;  // the code; `HTTP 415` without one; empty while there is none
  std::string message;
  std::vector<std::string> payloads = {};
  std::string json = {};  // of the only payload, a RateLimitResponse

  bool operator==(const GrpcResult&) const = default;
};

inline std::string framed(std::string_view payload) {
  std::string bytes;
  grpc::append_message(bytes, payload);
  return bytes;
}

template <class Message>
std::string binary(const std::string& json) {
  Message message;
  const auto status = google::protobuf::util::JsonStringToMessage(json, &message);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return message.SerializeAsString();
}

inline std::string limit_request(const std::string& json) {
  return binary<envoy::service::ratelimit::v3::RateLimitRequest>(json);
}

inline std::string json_of(const google::protobuf::Message& message) {
  std::string json;
  EXPECT_TRUE(google::protobuf::util::MessageToJsonString(message, &json).ok());
  return json;
}

inline GrpcResult result_of(const Http2Client::Reply& reply) {
  GrpcResult result{.status = reply.header("grpc-status"), .message = reply.header("grpc-message")};
  if (result.status.empty() && reply.closed) result.status = "HTTP " + reply.header(":status");
  grpc::Reader reader{1 << 20};
  reader.feed(reply.body);
  while (auto message = reader.next().value()) result.payloads.emplace_back(message->payload);
  envoy::service::ratelimit::v3::RateLimitResponse response;
  if (result.payloads.size() == 1 && response.ParseFromString(result.payloads.front()))
    result.json = json_of(response);
  return result;
}

// How limits are decided.
struct GrpcWays {
  Charge charge = Charge::kAllOrNothing;
  Algorithm algorithm = Algorithm::kSlidingWindow;
};

class GrpcTalk {
 public:
  explicit GrpcTalk(std::string_view rules, frontend::GrpcOptions options = {},
                    Store* instead = nullptr, GrpcWays ways = {})
      : rules_{instead != nullptr ? *instead : store, clock, {.charge = ways.charge}},
        service{[this] { return ready; }, options} {
    rules_.use(load_text(rules, {.default_algorithm = ways.algorithm}).rules);
    connect();
  }

  void connect() {
    conversation = loop.connect();
    client = std::make_unique<Http2Client>();
  }

  std::int32_t begin(const std::string& path, const std::string& body,
                     const Http2Client::Fields& more = {}) {
    Http2Client::Fields fields = {{"content-type", "application/grpc"}, {"te", "trailers"}};
    fields.insert(fields.end(), more.begin(), more.end());
    return client->request(path, body, fields);
  }

  // Both ways until neither has more to say, in pieces of at most so many bytes.
  void talk(std::size_t piece = 1 << 20) {
    for (bool more = true; more;) {
      const std::string up = client->output();
      fed += up.size();
      for (std::size_t at = 0; at < up.size(); at += piece)
        conversation->feed(up.substr(at, piece));
      const std::string down{conversation->output()};
      conversation->sent(down.size());
      client->feed(down);
      more = !up.empty() || !down.empty();
    }
  }

  GrpcResult result(std::int32_t id) { return result_of(client->reply(id)); }

  GrpcResult call(const std::string& path, const std::string& body,
                  const Http2Client::Fields& more = {}) {
    const std::int32_t id = begin(path, body, more);
    talk();
    return result(id);
  }
  GrpcResult limit(const std::string& json, const Http2Client::Fields& more = {}) {
    return call(kShouldRateLimit, framed(limit_request(json)), more);
  }

  ManualClock clock;
  MemoryStore store{{}, clock};
  bool ready = true;
  std::size_t fed = 0;  // bytes

 private:
  frontend::RuleService rules_;
  frontend::RuleLoop rule_loop_{rules_};

 public:
  frontend::GrpcService service;
  frontend::GrpcLoop loop{service, rule_loop_};
  std::unique_ptr<Conversation> conversation;
  std::unique_ptr<Http2Client> client;
};

}  // namespace tidegate::test
