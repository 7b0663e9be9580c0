// The script in a Redis of its own: bytes of a key, and time of a call, both as Redis counts them.
//
// Calls are timed beside a window in a sorted set as services write it by hand: ZADD,
// ZREMRANGEBYSCORE, ZCARD and PEXPIRE in one script. Rounds alternate.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "bench/harness.h"
#include "tests/support/redis_server.h"
#include "tidegate/algorithm/limit.h"
#include "tidegate/store/redis/script.h"

namespace tidegate::bench {
namespace {

using test::RedisServer;

constexpr std::string_view kByHand = R"lua(
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - ARGV[1])
redis.call('ZADD', KEYS[1], now, time[1] .. time[2])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return redis.call('ZCARD', KEYS[1]) <= tonumber(ARGV[2])
)lua";

class Script {
 public:
  Script(RedisServer& redis, std::string_view text)
      : redis_{redis}, sha1_{redis.ask({"SCRIPT", "LOAD", text}).text} {}

  void call(std::string_view key, const std::vector<std::string>& arguments) {
    std::vector<std::string_view> words{"EVALSHA", sha1_, "1", key};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const auto reply = redis_.ask(words);
    if (reply.error()) throw std::runtime_error{reply.text};
  }

 private:
  RedisServer& redis_;
  const std::string sha1_;
};

std::vector<std::string> take(std::string_view form, const Limit& limit, std::string_view now) {
  return {"take",
          std::string{now},
          "all",
          std::string{form},
          "binding",
          "1",
          std::to_string(limit.tokens()),
          std::to_string(limit.period().count()),
          std::to_string(redis::option(limit))};
}

struct Shape {
  std::string_view form;
  std::string_view limit;
};

void print_bytes(RedisServer& redis, Script& script, const Shape& shape,
                 const std::vector<int>& hits) {
  const Limit limit = Limit::parse(shape.limit).value();
  redis.ask({"FLUSHALL"});
  std::printf("%-22s %-32s", std::string{shape.form}.c_str(), std::string{shape.limit}.c_str());
  int done = 0;
  for (const int wanted : hits) {
    for (; done < wanted; ++done) {
      const std::int64_t now =
          1'790'000'000'000'000 + done * (limit.period().count() / hits.back());
      script.call("user:12345", take(shape.form, limit, std::to_string(now)));
    }
    const std::int64_t bytes = redis.ask({"MEMORY", "USAGE", "user:12345"}).integer;
    std::printf("%9lld", static_cast<long long>(bytes));
  }
  std::printf("\n");
}

void bytes_of_keys(RedisServer& redis, Script& script) {
  std::printf("bytes of a key of 10 bytes, after so many hits\n%-22s %-32s", "", "");
  const std::vector<int> hits{1, 10, 100, 300, 600, 1'000};
  for (const int count : hits) std::printf("%9d", count);
  std::printf("\n");
  for (const Shape& shape :
       {Shape{"sliding_window", "1000/h"}, Shape{"zset", "1000/h"}, Shape{"list", "1000/h"},
        Shape{"sliding_window_counter", "1000/h algorithm sliding_window_counter"},
        Shape{"fixed_window", "1000/h algorithm fixed_window"},
        Shape{"counter", "1000/h algorithm fixed_window"},
        Shape{"token_bucket", "1000/h burst 1000"}})
    print_bytes(redis, script, shape, hits);
  std::printf("%-55s%9d\n", "", 20'000);
  print_bytes(redis, script, {"sliding_window", "1000000/h"}, {20'000});
}

double microseconds_a_call(RedisServer& redis, Script& script, std::string_view key,
                           const std::vector<std::string>& arguments) {
  constexpr int kCalls = 1'000;
  redis.ask({"CONFIG", "RESETSTAT"});
  for (int i = 0; i < kCalls; ++i) script.call(key, arguments);
  const std::string stats = redis.ask({"INFO", "commandstats"}).text;
  constexpr std::string_view kBefore = "cmdstat_evalsha:calls=1000,usec=";
  const std::size_t at = stats.find(kBefore);
  if (at == std::string::npos) throw std::runtime_error{"no statistics of EVALSHA"};
  return std::strtod(stats.c_str() + at + kBefore.size(), nullptr) / kCalls;
}

void time_of_calls(RedisServer& redis, Script& ours, const char* what, const Shape& shape) {
  constexpr int kRounds = 15;
  Script by_hand{redis, kByHand};
  const Limit limit = Limit::parse(shape.limit).value();
  std::vector<double> times, others, ratios;
  redis.ask({"FLUSHALL"});
  for (int i = 0; i <= kRounds; ++i) {
    redis.ask({"DEL", "by hand"});
    const double b = microseconds_a_call(redis, by_hand, "by hand", {"60000", "100"});
    const double a = microseconds_a_call(redis, ours, "k", take(shape.form, limit, ""));
    if (i == 0) continue;  // the first fills the state
    times.push_back(a);
    others.push_back(b);
    ratios.push_back(a / b);
  }
  std::printf("%-22s %-44s %-9s %6.1f us  by hand %6.1f us  ratio %.2f\n",
              std::string{shape.form}.c_str(), std::string{shape.limit}.c_str(), what,
              median(times), median(others), median(ratios));
}

void times(RedisServer& redis, Script& script) {
  for (const Shape& shape :
       {Shape{"sliding_window", "50000/h precision 50000"}, Shape{"sliding_window", "1000000/h"},
        Shape{"sliding_window_counter", "1000000/h algorithm sliding_window_counter"},
        Shape{"fixed_window", "1000000/h algorithm fixed_window"},
        Shape{"token_bucket", "1000000/h burst 1000000"},
        Shape{"token_bucket_interval", "1000000/h burst 1000000 refill interval"},
        Shape{"zset", "50000/h"}, Shape{"list", "50000/h"},
        Shape{"counter", "1000000/h algorithm fixed_window"}})
    time_of_calls(redis, script, "admitted", shape);
  for (const Shape& shape :
       {Shape{"sliding_window", "1000/h"},
        Shape{"sliding_window_counter", "100/h algorithm sliding_window_counter"},
        Shape{"fixed_window", "100/h algorithm fixed_window"},
        Shape{"token_bucket", "1/h burst 100"}, Shape{"zset", "1000/h"}, Shape{"list", "1000/h"},
        Shape{"counter", "100/h algorithm fixed_window"}})
    time_of_calls(redis, script, "denied", shape);
}

void run() {
  RedisServer redis;
  Script script{redis, redis::script_text()};
  bytes_of_keys(redis, script);
  times(redis, script);
}

}  // namespace
}  // namespace tidegate::bench

int main() {
  tidegate::bench::run();
}
