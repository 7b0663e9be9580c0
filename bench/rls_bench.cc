// What a call of Envoy's rate limit service costs, beside gRPC's own server that answers the same
// bytes as a constant: rounds of A and B alternate, and a ratio is the median over adjacent rounds.
//
//   rls_bench [ROUNDS]
//
// A call has two descriptors that meet two rules; the limits are kept in memory. The servers run on
// core 0, the load, h2load with 8 connections of 32 calls at once, on core 1. Processor time is
// that of the server's process, user and system, over the calls. Needs h2load and taskset.
#include <google/protobuf/duration.pb.h>

#include <envoy/service/ratelimit/v3/rls.pb.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "bench/harness.h"
#include "bench/port.h"
#include "bench/process.h"

namespace tidegate::bench {
namespace {

using envoy::service::ratelimit::v3::RateLimitRequest;
using envoy::service::ratelimit::v3::RateLimitResponse;

constexpr int kCalls = 100'000;
constexpr char kMethod[] = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

// Files that the programs read; gone with it.
class Folder {
 public:
  Folder() {
    if (mkdtemp(path_) == nullptr) std::exit(1);
  }
  ~Folder() {
    for (const char* name : {"rules.yaml", "call", "answer"}) unlink(file(name).c_str());
    rmdir(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return std::string{path_} + "/" + name; }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream{file(name), std::ios::binary} << bytes;
  }

 private:
  char path_[32] = "/tmp/rls_bench.XXXXXX";
};

constexpr char kRules[] = R"(
domain: api
descriptors:
  - key: user
    rate_limit: {unit: hour, requests_per_unit: 1000000000}
    descriptors:
      - key: path
        rate_limit: {unit: minute, requests_per_unit: 1000000000}
)";

std::string call() {
  RateLimitRequest request;
  request.set_domain("api");
  for (const int entries : {1, 2}) {
    auto& descriptor = *request.add_descriptors();
    for (int i = 0; i < entries; ++i) {
      auto& entry = *descriptor.add_entries();
      entry.set_key(i == 0 ? "user" : "path");
      entry.set_value(i == 0 ? "42" : "/v1/things");
    }
  }
  const std::string message = request.SerializeAsString();
  const char prefix[] = {0, 0, 0, 0, static_cast<char>(message.size())};
  return std::string{prefix, sizeof prefix} + message;
}

// As long as what tidegate answers to it.
std::string answer() {
  RateLimitResponse response;
  response.set_overall_code(RateLimitResponse::OK);
  for (const auto unit :
       {RateLimitResponse::RateLimit::HOUR, RateLimitResponse::RateLimit::MINUTE}) {
    auto& status = *response.add_statuses();
    status.set_code(RateLimitResponse::OK);
    status.mutable_current_limit()->set_requests_per_unit(1'000'000'000);
    status.mutable_current_limit()->set_unit(unit);
    status.set_limit_remaining(999'999'999);
    status.mutable_duration_until_reset()->set_seconds(60);
  }
  return response.SerializeAsString();
}

// A server on core 0, and what a load does to it.
class Server {
 public:
  Server(std::vector<std::string> words, int port)
      : process_{pinned(std::move(words))}, port_{port} {
    wait_until_it_answers(port_);
  }

  struct Cost {
    double cpu_us;      // of the server, a call
    double per_second;  // calls
  };

  Cost load(const std::string& body) const {
    const std::string command =
        "taskset -c 1 h2load -c 8 -m 32 -n " + std::to_string(kCalls) + " -d " + body +
        " -H 'content-type: application/grpc' -H 'te: trailers' http://127.0.0.1:" +
        std::to_string(port_) + kMethod;
    const double before = process_.cpu_seconds();
    const std::string output = output_of(command);
    const double used = process_.cpu_seconds() - before;
    if (output.find(" 0 failed, 0 errored") == std::string::npos) {
      std::fprintf(stderr, "calls failed:\n%s", output.c_str());
      std::exit(1);
    }
    // finished in 655.43ms, 305145.05 req/s, 51.80MB/s
    const std::size_t rate = output.find(", ", output.find("finished in ")) + 2;
    return {used / kCalls * 1e6, std::strtod(output.c_str() + rate, nullptr)};
  }

 private:
  static std::vector<std::string> pinned(std::vector<std::string> words) {
    words.insert(words.begin(), {"taskset", "-c", "0"});
    return words;
  }

  Process process_;
  int port_;
};

void compare(int rounds) {
  const Folder folder;
  folder.write("rules.yaml", kRules);
  folder.write("call", call());
  folder.write("answer", answer());
  const int own_port = free_port();
  const Server tidegate{{TIDEGATE_BINARY, "serve", "--resp", "none", "--grpc",
                         "127.0.0.1:" + std::to_string(own_port), "--rules",
                         folder.file("rules.yaml"), "--threads", "1", "--log-level", "error"},
                        own_port};
  const int port = free_port();
  const Server grpc{{GRPC_CONSTANT_SERVER, std::to_string(port), folder.file("answer")}, port};
  std::vector<double> own, others, ratios, own_rates, other_rates;
  for (int i = -1; i < rounds; ++i) {  // the first one warms up
    const Server::Cost a = tidegate.load(folder.file("call"));
    const Server::Cost b = grpc.load(folder.file("call"));
    if (i < 0) continue;
    own.push_back(a.cpu_us);
    others.push_back(b.cpu_us);
    ratios.push_back(a.cpu_us / b.cpu_us);
    own_rates.push_back(a.per_second);
    other_rates.push_back(b.per_second);
  }
  std::printf(
      "ShouldRateLimit %6.2f us  gRPC C++, a constant %6.2f us  ratio %5.2f (at most 0.33)\n",
      median(own), median(others), median(ratios));
  std::printf("ShouldRateLimit %6.0f a second  gRPC C++, a constant %6.0f a second\n",
              median(own_rates), median(other_rates));
}

}  // namespace
}  // namespace tidegate::bench

int main(int argc, char** argv) {
  tidegate::bench::compare(argc > 1 ? static_cast<int>(std::strtol(argv[1], nullptr, 10)) : 7);
}
