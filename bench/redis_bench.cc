// Decisions a second through one connection to a Redis, against redis-benchmark calling the same
// script on the same server: 256 requests in flight each, rounds alternate.
//
// Wall clock, as the server is another process. Both are bound by the script's time in the server;
// the ratio says what the client costs on top.
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bench/harness.h"
#include "tests/support/redis_server.h"
#include "tidegate/store/redis/names.h"
#include "tidegate/store/redis/redis_store.h"
#include "tidegate/store/redis/script.h"
#include "tidegate/store/redis/url.h"

namespace tidegate::bench {
namespace {

constexpr int kInFlight = 256;
constexpr int kTakes = 20'000;
constexpr int kRounds = 5;

// Keeps so many takes in flight until all are done.
class Pump {
 public:
  Pump(RedisStore& store, const Limit& limit) : store_{store}, take_{.key = "k", .limit = limit} {
    ops_.resize(kInFlight);
    for (Op& op : ops_) {
      op.takes = {&take_, 1};
      op.pump = this;
      op.complete = [](TakeOp& done) { static_cast<Op&>(done).pump->completed(done); };
    }
  }

  void start() {
    left_ = kTakes;
    for (Op& op : ops_) submit(op);
  }
  int undecided() const { return undecided_; }

 private:
  struct Op : TakeOp {
    Pump* pump = nullptr;
  };

  void submit(TakeOp& op) {
    if (left_-- > 0) store_.submit(op);
  }
  void completed(TakeOp& op) {
    undecided_ += op.error || op.verdict.degraded;
    submit(op);
  }

  RedisStore& store_;
  const Take take_;
  std::vector<Op> ops_;
  int left_ = 0;
  int undecided_ = 0;
};

double elapsed_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double through_store(RedisStore& store, boost::asio::io_context& loop, const Limit& limit) {
  Pump pump{store, limit};
  const auto start = std::chrono::steady_clock::now();
  pump.start();
  loop.restart();
  while (store.in_flight() > 0) loop.run_one();
  if (pump.undecided() > 0) std::printf("%d takes were not decided by Redis\n", pump.undecided());
  return kTakes / elapsed_since(start);
}

std::string script_call(const Limit& limit) {
  const redis::Names names{RedisOptions{}};
  return "EVALSHA " + std::string{redis::script_sha1()} + " 1 '" +
         names.name(limit.algorithm(), "k") + "' take '' all " + std::string{names.form(limit)} +
         " binding 1 " + std::to_string(limit.tokens()) + " " +
         std::to_string(limit.period().count()) + " " + std::to_string(redis::option(limit));
}

// What redis-benchmark says: `"EVALSHA ...","41237.11",...` as its last line.
double through_benchmark(const test::RedisServer& server, const Limit& limit) {
  const std::string command = "redis-benchmark -p " + std::to_string(server.port()) + " -c 1 -P " +
                              std::to_string(kInFlight) + " -n " + std::to_string(kTakes) +
                              " --csv " + script_call(limit) + " | tail -n 1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return 0;
  char line[4096] = {};
  const bool read = std::fgets(line, sizeof line, pipe) != nullptr;
  pclose(pipe);
  const std::string text{line};
  const std::size_t comma = text.find("\",\"");
  return read && comma != std::string::npos ? std::strtod(text.c_str() + comma + 3, nullptr) : 0;
}

void compare(RedisStore& store, boost::asio::io_context& loop, const test::RedisServer& server,
             const Limit& limit) {
  std::vector<double> ours;
  std::vector<double> theirs;
  std::vector<double> ratios;
  through_store(store, loop, limit);
  for (int i = 0; i < kRounds; ++i) {
    ours.push_back(through_store(store, loop, limit));
    theirs.push_back(through_benchmark(server, limit));
    ratios.push_back(ours.back() / theirs.back());
  }
  std::printf("%-46s %9.0f/s %9.0f/s   %.2f\n", limit.to_string().c_str(), median(ours),
              median(theirs), median(ratios));
}

int run() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a line as soon as it is measured
  test::RedisServer server;
  boost::asio::io_context loop;
  RedisOptions options = parse_redis_url(server.url()).value();
  options.timeout = std::chrono::seconds{10};
  const auto store = RedisStore::open(options).value();
  store->start({&loop});
  std::printf("%-46s %11s %11s   ratio\n", "256 in flight, one connection, one key", "RedisStore",
              "redis-benchmark");
  for (const Limit& limit :
       {"1000000/s burst 1000000"_limit, "100/h"_limit, "1000000/s algorithm fixed_window"_limit})
    compare(*store, loop, server, limit);
  return 0;
}

}  // namespace
}  // namespace tidegate::bench

int main() {
  return tidegate::bench::run();
}
