// Health and reflection, which speak of the server itself.
#include <google/protobuf/descriptor.pb.h>
#include <grpc/health/v1/health.pb.h>
#include <grpc/reflection/v1/reflection.pb.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/support/grpc_talk.h"

namespace tidegate {
namespace {

using ::grpc::health::v1::HealthCheckRequest;
using ::grpc::health::v1::HealthCheckResponse;
using ::grpc::reflection::v1::ServerReflectionRequest;
using ::grpc::reflection::v1::ServerReflectionResponse;
using test::framed;
using test::GrpcTalk;

constexpr char kRules[] = "domain: api\n";
constexpr char kCheck[] = "/grpc.health.v1.Health/Check";
constexpr char kWatch[] = "/grpc.health.v1.Health/Watch";
constexpr char kReflect[] = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
constexpr char kReflectAlpha[] = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";

std::string health_request(const std::string& service) {
  HealthCheckRequest request;
  request.set_service(service);
  return framed(request.SerializeAsString());
}

std::vector<std::string> healths(const test::GrpcResult& result) {
  std::vector<std::string> names;
  for (const std::string& payload : result.payloads) {
    HealthCheckResponse response;
    EXPECT_TRUE(response.ParseFromString(payload));
    names.push_back(HealthCheckResponse::ServingStatus_Name(response.status()));
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(GrpcHealth, Is_that_of_the_server) {
  GrpcTalk talk{kRules};
  for (const char* service : {"", "ratelimit", "envoy.service.ratelimit.v3.RateLimitService"}) {
    talk.ready = true;
    EXPECT_EQ(healths(talk.call(kCheck, health_request(service))), Names{"SERVING"});
    talk.ready = false;
    EXPECT_EQ(healths(talk.call(kCheck, health_request(service))), Names{"NOT_SERVING"});
  }
  EXPECT_EQ(talk.call(kCheck, health_request("other")).status, "5");
  EXPECT_EQ(talk.call(kCheck, framed("\xff")).status, "3");
}

TEST(GrpcHealth, Is_told_whenever_it_changes) {
  GrpcTalk talk{kRules};
  const auto id = talk.begin(kWatch, health_request("ratelimit"));
  const auto other = talk.begin(kWatch, health_request("other"));
  talk.talk();
  for (const bool ready : {true, false, false, true}) {
    talk.ready = ready;
    talk.loop.tick();
    talk.talk();
  }
  EXPECT_EQ(healths(talk.result(id)), (Names{"SERVING", "NOT_SERVING", "SERVING"}));
  EXPECT_EQ(healths(talk.result(other)), Names{"SERVICE_UNKNOWN"});
  talk.client->cancel(other);
  talk.talk();
  EXPECT_EQ(talk.result(id).status, "") << "it goes on";
}

TEST(GrpcHealth, Watching_ends_with_the_server) {
  GrpcTalk talk{kRules};
  const auto id = talk.begin(kWatch, health_request(""));
  talk.talk();
  talk.ready = false;
  talk.conversation->drain();
  const auto late = talk.begin(kWatch, health_request(""));
  talk.talk();
  EXPECT_EQ(healths(talk.result(id)), (Names{"SERVING", "NOT_SERVING"}));
  EXPECT_EQ(talk.result(id).status, "14");
  EXPECT_EQ(talk.result(late).status, "14");
  EXPECT_TRUE(talk.conversation->finished());
}

ServerReflectionResponse reflected(GrpcTalk& talk, const std::string& json,
                                   const char* path = kReflect) {
  const test::GrpcResult result =
      talk.call(path, framed(test::binary<ServerReflectionRequest>(json)));
  EXPECT_EQ(result.status, "0");
  ServerReflectionResponse response;
  EXPECT_EQ(result.payloads.size(), 1U);
  EXPECT_TRUE(response.ParseFromString(result.payloads.at(0)));
  return response;
}

TEST(GrpcReflection, Lists_services) {
  GrpcTalk talk{kRules};
  for (const char* path : {kReflect, kReflectAlpha}) {
    std::set<std::string> names;
    const auto response = reflected(talk, R"({"host":"h","listServices":""})", path);
    for (const auto& service : response.list_services_response().service())
      names.insert(service.name());
    EXPECT_EQ(names,
              (std::set<std::string>{"envoy.service.ratelimit.v3.RateLimitService",
                                     "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection",
                                     "grpc.reflection.v1alpha.ServerReflection"}));
    EXPECT_EQ(response.valid_host(), "h");
    EXPECT_EQ(response.original_request().host(), "h");
  }
}

TEST(GrpcReflection, Gives_a_file_and_what_it_imports) {
  GrpcTalk talk{kRules};
  for (const char* request :
       {R"({"fileContainingSymbol":"envoy.service.ratelimit.v3.RateLimitService.ShouldRateLimit"})",
        R"({"fileByFilename":"envoy/service/ratelimit/v3/rls.proto"})"}) {
    std::set<std::string> known;
    std::string last;
    const ServerReflectionResponse response = reflected(talk, request);
    for (const std::string& bytes : response.file_descriptor_response().file_descriptor_proto()) {
      google::protobuf::FileDescriptorProto file;
      ASSERT_TRUE(file.ParseFromString(bytes));
      for (const std::string& import : file.dependency()) EXPECT_TRUE(known.contains(import));
      known.insert(last = file.name());
    }
    EXPECT_EQ(last, "envoy/service/ratelimit/v3/rls.proto");
    EXPECT_EQ(known.size(), 7U);
  }
}

TEST(GrpcReflection, Says_what_there_is_not) {
  GrpcTalk talk{kRules};
  for (const char* request :
       {R"({"fileContainingSymbol":"no.such"})", R"({"fileByFilename":"no.proto"})",
        R"({"allExtensionNumbersOfType":"no.such"})", "{}",
        R"({"fileContainingExtension":{"containingType":"a","extensionNumber":1}})"})
    EXPECT_EQ(reflected(talk, request).error_response().error_code(), 5) << request;
  EXPECT_EQ(reflected(talk, R"({"allExtensionNumbersOfType":"grpc.health.v1.HealthCheckRequest"})")
                .all_extension_numbers_response()
                .base_type_name(),
            "grpc.health.v1.HealthCheckRequest");
}

TEST(GrpcReflection, Answers_message_by_message) {
  GrpcTalk talk{kRules};
  const std::string one = framed(test::binary<ServerReflectionRequest>(R"({"listServices":""})"));
  const test::GrpcResult result = talk.call(kReflect, one + one + one);
  EXPECT_EQ(result.status, "0");
  EXPECT_EQ(result.payloads.size(), 3U);
  EXPECT_EQ(talk.call(kReflect, one + framed("\xff")).status, "3");
}

}  // namespace
}  // namespace tidegate
