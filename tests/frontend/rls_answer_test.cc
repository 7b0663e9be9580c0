// What a proxy is answered beyond the statuses: headers for its client, metadata for itself.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/grpc_talk.h"

namespace tidegate {
namespace {

using namespace std::chrono_literals;
using envoy::service::ratelimit::v3::RateLimitResponse;
using frontend::rls::ResponseHeaders;
using test::GrpcTalk;

constexpr char kRules[] = R"(
domain: api
descriptors:
  - key: user
    rate_limit: {unit: minute, requests_per_unit: 2, name: 'per "user"'}
    metadata: {tier: free, weights: [1, 2.5, "3", true, null], backend: {name: a}}
  - key: address
    rate_limit: {limit: 10/1500ms}
    metadata: {tier: paid, backend: {name: b, zone: c}}
  - key: trial
    shadow_mode: true
    rate_limit: {unit: hour, requests_per_unit: 0}
  - key: internal
    rate_limit: {unlimited: true}
)";

std::string asked(std::initializer_list<const char*> keys) {
  std::string descriptors;
  for (const char* key : keys)
    descriptors += std::string{descriptors.empty() ? "" : ","} + R"({"entries":[{"key":")" + key +
                   R"(","value":"x"}]})";
  return R"({"domain":"api","descriptors":[)" + descriptors + "]}";
}

RateLimitResponse response_to(GrpcTalk& talk, const std::string& json) {
  RateLimitResponse response;
  EXPECT_TRUE(response.ParseFromString(talk.limit(json).payloads.at(0)));
  return response;
}

std::string headers(GrpcTalk& talk, const std::string& json) {
  std::string text;
  const RateLimitResponse response = response_to(talk, json);
  for (const auto& header : response.response_headers_to_add())
    text += header.key() + ": " + header.value() + "\n";
  return text;
}

frontend::GrpcOptions with(ResponseHeaders form) {
  return {.answer = {.headers = form}};
}

TEST(RlsHeaders, Are_off_unless_asked_for) {
  GrpcTalk talk{kRules};
  EXPECT_EQ(headers(talk, asked({"user"})), "");
}

TEST(RlsHeaders, Tell_of_what_bound) {
  GrpcTalk talk{kRules, with(ResponseHeaders::kRateLimit)};
  EXPECT_EQ(headers(talk, asked({"address", "user"})),
            "RateLimit-Limit: 2\nRateLimit-Remaining: 1\nRateLimit-Reset: 60\n");
  headers(talk, asked({"user"}));
  talk.clock.advance(1500ms);
  EXPECT_EQ(headers(talk, asked({"address", "user"})),
            "RateLimit-Limit: 2\nRateLimit-Remaining: 0\nRateLimit-Reset: 59\nRetry-After: 59\n");
  EXPECT_EQ(headers(talk, asked({"user", "address"})), headers(talk, asked({"address", "user"})));
  EXPECT_EQ(headers(talk, asked({"internal", "elsewhere"})), "");
}

TEST(RlsHeaders, Name_no_time_for_what_can_never_pass) {
  GrpcTalk talk{kRules, with(ResponseHeaders::kRateLimit)};
  EXPECT_EQ(headers(talk, "{\"hitsAddend\":3," + asked({"user"}).substr(1)),
            "RateLimit-Limit: 2\nRateLimit-Remaining: 0\nRateLimit-Reset: 0\n");
}

TEST(RlsHeaders, Have_the_older_name) {
  GrpcTalk talk{kRules, with(ResponseHeaders::kXRateLimit)};
  EXPECT_EQ(headers(talk, asked({"address"})),
            "X-RateLimit-Limit: 10\nX-RateLimit-Remaining: 9\nX-RateLimit-Reset: 2\n");
}

TEST(RlsHeaders, Are_structured_fields) {
  GrpcTalk talk{kRules, with(ResponseHeaders::kIetf)};
  EXPECT_EQ(headers(talk, asked({"user", "address"})),
            "RateLimit-Policy: \"per \\\"user\\\"\";q=2;w=60\n"
            "RateLimit: \"per \\\"user\\\"\";r=1;t=60\n");
  EXPECT_EQ(headers(talk, asked({"address"})),
            "RateLimit-Policy: \"default\";q=10\nRateLimit: \"default\";r=8;t=2\n")
      << "a window is in whole seconds, or it is not told";
}

TEST(RlsStatuses, Of_shadow_mode_are_never_over) {
  GrpcTalk talk{kRules};
  const RateLimitResponse response = response_to(talk, asked({"trial", "internal", "none"}));
  EXPECT_EQ(response.overall_code(), RateLimitResponse::OK);
  EXPECT_EQ(response.statuses(0).code(), RateLimitResponse::OK);
  EXPECT_EQ(response.statuses(0).limit_remaining(), 0U);
  EXPECT_TRUE(response.statuses(0).has_current_limit());
  EXPECT_EQ(response.statuses(1).limit_remaining(), 4294967295U);
  EXPECT_FALSE(response.statuses(1).has_current_limit());
  EXPECT_EQ(response.statuses(2).code(), RateLimitResponse::OK);
  EXPECT_FALSE(response.statuses(2).has_current_limit());
}

TEST(RlsStatuses, Leave_nothing_for_who_was_denied) {
  GrpcTalk talk{kRules};
  const RateLimitResponse response = response_to(
      talk,
      R"({"domain":"api","hitsAddend":3,"descriptors":[{"entries":[{"key":"user","value":"x"}]}]})");
  EXPECT_EQ(response.statuses(0).code(), RateLimitResponse::OVER_LIMIT);
  EXPECT_EQ(response.statuses(0).limit_remaining(), 0U) << "though 2 are left for others";
}

TEST(RlsMetadata, Is_the_request_and_what_the_rules_that_let_it_pass_say) {
  GrpcTalk talk{kRules, {.answer = {.dynamic_metadata = true}}};
  const auto metadata = [&](const std::string& json) {
    return test::json_of(response_to(talk, json).dynamic_metadata());
  };
  const std::string all = metadata(asked({"user", "address"}));
  for (const char* part : {R"("domain":"api")", R"("hitsAddend":1)",
                           R"("descriptors":[{"entries":["user=x"]},{"entries":["address=x"]}])",
                           R"("tier":"free")", R"("weights":[1,2.5,"3",true,null])"})
    EXPECT_NE(all.find(part), std::string::npos) << part << " in " << all;
  EXPECT_TRUE(all.find(R"("backend":{"name":"a","zone":"c"})") != std::string::npos ||
              all.find(R"("backend":{"zone":"c","name":"a"})") != std::string::npos)
      << all;
  metadata(asked({"user"}));
  const std::string denied = metadata(asked({"user", "address"}));
  EXPECT_NE(denied.find(R"("tier":"paid")"), std::string::npos) << denied;
  EXPECT_EQ(denied.find("weights"), std::string::npos) << denied;
}

}  // namespace
}  // namespace tidegate
