// What serving a decision over RESP costs, beside redis-server on the same machine: rounds of A and
// B alternate, and a ratio is the median over adjacent rounds.
//
//   resp_bench [ROUNDS]
//
// The load is redis-benchmark's: 50 clients, 100,000 random keys. Processor time is that of the
// server's process, user and system, over the requests. Needs redis-server and redis-benchmark.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/harness.h"
#include "bench/port.h"
#include "bench/process.h"

namespace tidegate::bench {
namespace {

constexpr char kKeys[] = "100000";
constexpr char kThrottle[] = "CL.THROTTLE key:__rand_int__ 4 5 60";

// The same decision as a script: the arrival time of GCRA in a key, at the server's own time.
constexpr char kScript[] =
    "local now = redis.call('TIME') "
    "now = now[1] * 1000000 + now[2] "
    "local burst, count, period = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]) "
    "local interval = period * 1000000 / count "
    "local tolerance = interval * (burst + 1) "
    "local arrival = tonumber(redis.call('GET', KEYS[1]) or now) "
    "if arrival < now then arrival = now end "
    "local next = arrival + interval "
    "if next - tolerance > now then "
    "return {1, burst + 1, 0, math.ceil((next - tolerance - now) / 1000000), "
    "math.ceil((arrival - now) / 1000000)} end "
    "redis.call('SET', KEYS[1], string.format('%.0f', next), "
    "'PX', math.ceil((next - now) / 1000)) "
    "return {0, burst + 1, math.floor((tolerance - (next - now)) / interval), -1, "
    "math.ceil((next - now) / 1000000)}";

// A server on a port of its own, and what a load did to it.
class Server {
 public:
  Server(std::vector<std::string> words, int port) : process_{std::move(words)}, port_{port} {
    wait_until_it_answers(port_);
  }

  struct Cost {
    double cpu_us;      // of the server, a request
    double per_second;  // requests
  };

  Cost load(const std::string& what, int pipeline, int requests, int client_threads = 0) const {
    const std::string command =
        "redis-benchmark -p " + std::to_string(port_) + " --csv -c 50 -r " + kKeys + " -P " +
        std::to_string(pipeline) + " -n " + std::to_string(requests) +
        (client_threads > 0 ? " --threads " + std::to_string(client_threads) : "") + " " + what +
        " 2>/dev/null";
    const double before = process_.cpu_seconds();
    const std::string output = output_of(command);
    const double used = process_.cpu_seconds() - before;
    // The last line: "name","requests a second","..."
    const std::size_t line = output.rfind('\n', output.size() - 2) + 1;
    const std::size_t field = output.find("\",\"", line) + 3;
    return {used / requests * 1e6, std::strtod(output.c_str() + field, nullptr)};
  }

  int port() const { return port_; }

 private:
  Process process_;
  int port_;
};

Server tidegate_server(int threads) {
  const int port = free_port();
  return {{TIDEGATE_BINARY, "serve", "--resp", "127.0.0.1:" + std::to_string(port), "--threads",
           std::to_string(threads), "--log-level", "error"},
          port};
}

Server redis_server() {
  const int port = free_port();
  return {{"redis-server", "--port", std::to_string(port), "--bind", "127.0.0.1", "--save", "",
           "--appendonly", "no"},
          port};
}

Server constant_server() {
  const int port = free_port();
  return {{CONSTANT_SERVER, std::to_string(port)}, port};
}

// Enough for a good part of a second, a round.
int requests_at(int pipeline) {
  return pipeline == 1 ? 40'000 : pipeline == 16 ? 300'000 : 600'000;
}

// Medians of what two loads cost, and of their ratio in adjacent rounds.
template <class A, class B>
Pair alternate(int rounds, A&& a, B&& b) {
  std::vector<double> as, bs, ratios;
  a();
  b();
  for (int i = 0; i < rounds; ++i) {
    double first = i % 2 == 0 ? a() : 0;
    bs.push_back(b());
    as.push_back(i % 2 == 0 ? first : a());
    ratios.push_back(as.back() / bs.back());
  }
  return {median(as), median(bs), median(ratios)};
}

void compare_with_ping(int rounds, const Server& tidegate, const Server& redis) {
  for (const int pipeline : {1, 16, 64}) {
    const int requests = requests_at(pipeline);
    const Pair cpu = alternate(
        rounds, [&] { return tidegate.load(kThrottle, pipeline, requests).cpu_us; },
        [&] { return redis.load("-t ping_mbulk", pipeline, requests).cpu_us; });
    std::printf(
        "-P %-3d CL.THROTTLE %6.2f us  redis-server PING    %6.2f us  ratio %5.2f (at most %s)\n",
        pipeline, cpu.a, cpu.b, cpu.ratio, pipeline == 1 ? "1.1" : "1.2");
  }
}

void compare_with_script(int rounds, const Server& tidegate, const Server& redis) {
  const std::string sha = output_of("redis-cli -p " + std::to_string(redis.port()) +
                                    " SCRIPT LOAD \"" + kScript + "\"");
  const std::string call = "EVALSHA " + sha.substr(0, 40) + " 1 key:__rand_int__ 4 5 60";
  for (const int pipeline : {1, 16, 64}) {
    const int requests = requests_at(pipeline) / (pipeline == 1 ? 1 : 4);
    const Pair cpu = alternate(
        rounds, [&] { return redis.load(call, pipeline, requests).cpu_us; },
        [&] { return tidegate.load(kThrottle, pipeline, requests_at(pipeline)).cpu_us; });
    std::printf("-P %-3d CL.THROTTLE %6.2f us  redis-server EVALSHA %6.2f us  ratio %5.2f (%s)\n",
                pipeline, cpu.b, cpu.a, cpu.ratio, "at least 6");
  }
}

void compare_with_constant(int rounds, const Server& tidegate, const Server& constant) {
  for (const int pipeline : {1, 16, 64}) {
    const int requests = requests_at(pipeline);
    const Pair rate = alternate(
        rounds, [&] { return tidegate.load(kThrottle, pipeline, requests).per_second; },
        [&] { return constant.load(kThrottle, pipeline, requests).per_second; });
    std::printf(
        "-P %-3d CL.THROTTLE %7.0f a second  a constant %7.0f a second  ratio %5.2f (at least "
        "0.95)\n",
        pipeline, rate.a, rate.b, rate.ratio);
  }
}

void compare_threads(int rounds, const Server& one, const Server& two) {
  constexpr int kPipeline = 16;
  const int requests = requests_at(kPipeline);
  double busy_one = 0;
  double busy_two = 0;
  const auto rate = [&](const Server& server, double& busy) {
    const Server::Cost cost = server.load(kThrottle, kPipeline, requests, 2);
    busy = cost.cpu_us * cost.per_second / 1e6;
    return cost.per_second;
  };
  const Pair rates = alternate(
      rounds, [&] { return rate(two, busy_two); }, [&] { return rate(one, busy_one); });
  std::printf(
      "-P %-3d two threads %7.0f a second, %.2f cores busy; one %7.0f, %.2f; ratio %5.2f (at least "
      "1.6 "
      "with cores to spare; this machine has %u, and the client needs its own)\n",
      kPipeline, rates.a, busy_two, rates.b, busy_one, rates.ratio,
      std::thread::hardware_concurrency());
}

}  // namespace
}  // namespace tidegate::bench

int main(int argc, char** argv) {
  using namespace tidegate::bench;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const int rounds = argc > 1 ? static_cast<int>(std::strtol(argv[1], nullptr, 10)) : 7;
  const Server tidegate = tidegate_server(1);
  const Server redis = redis_server();
  compare_with_ping(rounds, tidegate, redis);
  compare_with_constant(rounds, tidegate, constant_server());
  compare_with_script(rounds, tidegate, redis);
  compare_threads(rounds, tidegate, tidegate_server(2));
}
