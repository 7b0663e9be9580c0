// gRPC's own C++ client before the rate limit service: `ok TEXT` or `BROKEN TEXT` for each claim.
// PORT comes from the environment.
#include <envoy/service/ratelimit/v3/rls.grpc.pb.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace v3 = envoy::service::ratelimit::v3;

int broken = 0;

void claim(const char* text, bool holds) {
  std::printf("%s %s\n", holds ? "ok" : "BROKEN", text);
  broken += !holds;
}

v3::RateLimitRequest request(const std::string& key, const std::string& value) {
  v3::RateLimitRequest request;
  request.set_domain("shop");
  auto& entry = *request.add_descriptors()->add_entries();
  entry.set_key(key);
  entry.set_value(value);
  return request;
}

grpc::Status ask(v3::RateLimitService::Stub& stub, const v3::RateLimitRequest& request,
                 v3::RateLimitResponse& response, int deadline_ms = 10'000) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds{deadline_ms});
  return stub.ShouldRateLimit(&context, request, &response);
}

void three_of_four(v3::RateLimitService::Stub& stub) {
  std::string codes;
  v3::RateLimitResponse response;
  for (int i = 0; i < 4; ++i) {
    if (!ask(stub, request("user", "c++"), response).ok()) codes += "error ";
    codes += v3::RateLimitResponse::Code_Name(response.overall_code()) + " ";
  }
  claim("three of four calls are allowed", codes == "OK OK OK OVER_LIMIT ");
  const auto& status = response.statuses(0);
  claim("the denial says which limit, and when to come again",
        status.current_limit().requests_per_unit() == 3 &&
            status.current_limit().unit() == v3::RateLimitResponse::RateLimit::MINUTE &&
            status.duration_until_reset().seconds() > 0);
}

void mistakes(v3::RateLimitService::Stub& stub) {
  v3::RateLimitResponse response;
  claim("a request without descriptors is INVALID_ARGUMENT",
        ask(stub, v3::RateLimitRequest{}, response).error_code() ==
            grpc::StatusCode::INVALID_ARGUMENT);
  claim("a call whose deadline has passed is DEADLINE_EXCEEDED",
        ask(stub, request("user", "late"), response, -1).error_code() ==
            grpc::StatusCode::DEADLINE_EXCEEDED);
  v3::RateLimitRequest large = request("user", std::string(100'000, 'x'));
  claim("a message above the bound is RESOURCE_EXHAUSTED",
        ask(stub, large, response).error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED);
  claim("and the connection goes on", ask(stub, request("inside", "x"), response).ok());
}

void compressed(v3::RateLimitService::Stub& stub) {
  grpc::ClientContext context;
  context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  v3::RateLimitResponse response;
  claim("a request in gzip is answered",
        stub.ShouldRateLimit(&context, request("inside", std::string(1'000, 'a')), &response).ok());
}

void at_once(v3::RateLimitService::Stub& stub) {
  constexpr int kThreads = 8;
  constexpr int kCalls = 250;
  std::vector<int> allowed(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      v3::RateLimitResponse response;
      for (int i = 0; i < kCalls; ++i)
        allowed[t] += ask(stub, request("many", "c++"), response).ok() &&
                      response.overall_code() == v3::RateLimitResponse::OK;
    });
  int sum = 0;
  for (int t = 0; t < kThreads; ++t) {
    threads[t].join();
    sum += allowed[t];
  }
  claim("of 2000 calls from 8 threads 1500 are allowed, as the limit says", sum == 1'500);
}

}  // namespace

int main() {
  const std::string address = std::string{"127.0.0.1:"} + std::getenv("PORT");
  const auto stub = v3::RateLimitService::NewStub(
      grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  three_of_four(*stub);
  mistakes(*stub);
  compressed(*stub);
  at_once(*stub);
  return broken > 0;
}
