// The examples by which envoyproxy/ratelimit documents its rules, answered as it says, under what
// --compat envoy stands for: fixed_window, and each limit charged that fits.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/grpc_talk.h"

namespace tidegate {
namespace {

using envoy::service::ratelimit::v3::RateLimitRequest;
using envoy::service::ratelimit::v3::RateLimitResponse;
using Entries = std::vector<std::pair<std::string, std::string>>;

class Examples : public testing::Test {
 protected:
  void use(std::string_view rules) {
    talk.emplace(rules, frontend::GrpcOptions{}, nullptr,
                 test::GrpcWays{.charge = Charge::kEach, .algorithm = Algorithm::kFixedWindow});
  }

  RateLimitResponse ask(const std::string& domain, const std::vector<Entries>& descriptors) {
    RateLimitRequest request;
    request.set_domain(domain);
    for (const Entries& entries : descriptors) {
      auto& descriptor = *request.add_descriptors();
      for (const auto& [key, value] : entries) {
        auto& entry = *descriptor.add_entries();
        entry.set_key(key);
        entry.set_value(value);
      }
    }
    RateLimitResponse response;
    const auto result =
        talk->call(test::kShouldRateLimit, test::framed(request.SerializeAsString()));
    EXPECT_TRUE(response.ParseFromString(result.payloads.at(0)));
    return response;
  }

  // How many of so many requests in one window pass.
  int passed(int requests, const std::string& domain, const std::vector<Entries>& descriptors) {
    int count = 0;
    for (int i = 0; i < requests; ++i)
      count += ask(domain, descriptors).overall_code() == RateLimitResponse::OK;
    return count;
  }

  std::optional<test::GrpcTalk> talk;
};

TEST_F(Examples, Of_values_that_have_limits_of_their_own) {
  use(R"(
domain: mongo_cps
descriptors:
  - {key: database, value: users, rate_limit: {unit: second, requests_per_unit: 500}}
  - {key: database, value: default, rate_limit: {unit: second, requests_per_unit: 500}}
)");
  EXPECT_EQ(passed(510, "mongo_cps", {{{"database", "users"}}}), 500);
  EXPECT_EQ(passed(510, "mongo_cps", {{{"database", "default"}}}), 500);
  EXPECT_EQ(passed(510, "mongo_cps", {{{"database", "other"}}}), 510);
}

TEST_F(Examples, Of_nested_descriptors_and_several_in_one_request) {
  use(R"(
domain: messaging
descriptors:
  - key: message_type
    value: marketing
    descriptors:
      - {key: to_number, rate_limit: {unit: day, requests_per_unit: 5}}
  - {key: to_number, rate_limit: {unit: day, requests_per_unit: 100}}
)");
  const Entries marketing = {{"message_type", "marketing"}, {"to_number", "2061111111"}};
  const Entries any = {{"to_number", "2061111111"}};
  EXPECT_EQ(passed(10, "messaging", {{{"message_type", "marketing"}, {"to_number", "2062222222"}}}),
            5);
  EXPECT_EQ(passed(8, "messaging", {marketing, any}), 5) << "either of them denies";
  const RateLimitResponse denied = ask("messaging", {marketing, any});
  EXPECT_EQ(denied.statuses(0).code(), RateLimitResponse::OVER_LIMIT);
  EXPECT_EQ(denied.statuses(1).code(), RateLimitResponse::OK);
  EXPECT_EQ(denied.statuses(1).limit_remaining(), 91U) << "each that fits was charged all the same";
  EXPECT_EQ(passed(100, "messaging", {any}), 91);
}

TEST_F(Examples, Of_a_value_before_a_key_alone) {
  use(R"(
domain: edge_proxy_per_ip
descriptors:
  - {key: remote_address, rate_limit: {unit: second, requests_per_unit: 10}}
  - {key: remote_address, value: 50.0.0.5, rate_limit: {unit: second, requests_per_unit: 0}}
)");
  EXPECT_EQ(passed(12, "edge_proxy_per_ip", {{{"remote_address", "50.0.0.1"}}}), 10);
  EXPECT_EQ(passed(12, "edge_proxy_per_ip", {{{"remote_address", "50.0.0.2"}}}), 10);
  EXPECT_EQ(passed(12, "edge_proxy_per_ip", {{{"remote_address", "50.0.0.5"}}}), 0);
}

TEST_F(Examples, Of_depths_that_must_be_equal) {
  const std::vector<Entries> both = {{{"key", "value"}, {"subkey", "subvalue"}}};
  use(R"(
domain: example4
descriptors:
  - {key: key, value: value, rate_limit: {unit: second, requests_per_unit: 300}}
)");
  EXPECT_EQ(passed(310, "example4", both), 310);
  use(R"(
domain: example4
descriptors:
  - key: key
    value: value
    descriptors: [{key: subkey, rate_limit: {unit: second, requests_per_unit: 300}}]
)");
  EXPECT_EQ(passed(310, "example4", both), 300);
}

TEST_F(Examples, Of_what_is_unlimited) {
  use(R"(
domain: internal
descriptors:
  - {key: ldap, rate_limit: {unlimited: true}}
  - {key: azure, rate_limit: {unit: minute, requests_per_unit: 100}}
)");
  EXPECT_EQ(passed(110, "internal", {{{"azure", ""}}}), 100);
  EXPECT_EQ(passed(110, "internal", {{{"ldap", ""}}}), 110);
  EXPECT_EQ(ask("internal", {{{"ldap", ""}}}).statuses(0).limit_remaining(), 4294967295U);
}

TEST_F(Examples, Of_shadow_mode) {
  use(R"(
domain: example6
descriptors:
  - key: service
    descriptors:
      - key: user
        value: user-a
        shadow_mode: true
        rate_limit: {unit: second, requests_per_unit: 10}
      - {key: user, value: user-b, rate_limit: {unit: second, requests_per_unit: 20}}
)");
  const auto of = [](const char* user) {
    return std::vector<Entries>{{{"service", "auth-service"}, {"user", user}}};
  };
  EXPECT_EQ(passed(30, "example6", of("user-a")), 30);
  EXPECT_EQ(passed(30, "example6", of("user-b")), 20);
}

TEST_F(Examples, Of_a_limit_in_place_of_another) {
  use(R"(
domain: example7
descriptors:
  - key: key_1
    value: value_1
    descriptors:
      - key: user
        value: someone
        rate_limit: {name: specific_limit, unit: second, requests_per_unit: 5}
  - key: key_2
    value: value_2
    descriptors:
      - key: user
        value: someone
        rate_limit: {replaces: [{name: specific_limit}], unit: second, requests_per_unit: 10}
)");
  const Entries first = {{"key_1", "value_1"}, {"user", "someone"}};
  const Entries second = {{"key_2", "value_2"}, {"user", "someone"}};
  EXPECT_EQ(passed(12, "example7", {first, second}), 10);
  EXPECT_EQ(passed(12, "example7", {first}), 5) << "it was not touched";
  talk->clock.advance(std::chrono::seconds{1});
  EXPECT_EQ(passed(12, "example7", {second}), 10);
}

TEST_F(Examples, Of_metrics_in_detail_and_of_patterns_limit_as_ever) {
  use(R"(
domain: example8
descriptors:
  - {key: key1, detailed_metric: true, rate_limit: {unit: minute, requests_per_unit: 10}}
  - {key: key1, value: value1, rate_limit: {unit: minute, requests_per_unit: 20}}
  - {key: path, value: value*, rate_limit: {unit: minute, requests_per_unit: 15}}
)");
  EXPECT_EQ(passed(25, "example8", {{{"key1", "one"}}}), 10);
  EXPECT_EQ(passed(25, "example8", {{{"key1", "other"}}}), 10);
  EXPECT_EQ(passed(25, "example8", {{{"key1", "value1"}}}), 20);
  EXPECT_EQ(passed(25, "example8", {{{"path", "value_1"}}}), 15);
  EXPECT_EQ(passed(25, "example8", {{{"path", "value_2"}}}), 15);
}

}  // namespace
}  // namespace tidegate
