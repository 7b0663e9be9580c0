// Small rate limiters that services keep in Redis, with plain commands: what the layouts take over,
// and what the algorithms must agree with.
//
// As literal as their faults allow: `Refused::kAdded` is one of those faults, kept for the tests
// that ask what then happens. Thread safety: none.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "tests/support/redis_server.h"
#include "tidegate/base/time.h"

namespace tidegate::test {

class Service {
 public:
  Service(RedisServer& redis, std::string key, std::int64_t most, Duration period)
      : redis_{redis}, key_{std::move(key)}, most_{most}, period_{period} {}
  virtual ~Service() = default;
  virtual bool pass(Time now) = 0;

 protected:
  std::int64_t ask(std::initializer_list<std::string_view> words) {
    return redis_.ask(words).integer;
  }
  std::string ms(Time t) const { return std::to_string(t.time_since_epoch() / kMillisecond); }
  std::string period_ms() const { return std::to_string(period_ / kMillisecond); }
  std::string_view key() const { return key_; }
  std::int64_t most() const { return most_; }
  Duration period() const { return period_; }
  RedisServer& redis() { return redis_; }

 private:
  static constexpr Duration kMillisecond = std::chrono::milliseconds{1};

  RedisServer& redis_;
  const std::string key_;
  const std::int64_t most_;
  const Duration period_;
};

enum class Refused : std::uint8_t { kLeftOut, kAdded };

// A sorted set of times: trimmed, counted, added to.
class SortedSetService final : public Service {
 public:
  SortedSetService(RedisServer& redis, std::string key, std::int64_t most, Duration period,
                   Refused refused = Refused::kLeftOut)
      : Service{redis, std::move(key), most, period}, refused_{refused} {}

  bool pass(Time now) override {
    ask({"ZREMRANGEBYSCORE", key(), "0", ms(now - period())});
    const bool passes = ask({"ZCARD", key()}) < most();
    if (passes || refused_ == Refused::kAdded) ask({"ZADD", key(), ms(now), next_member()});
    ask({"PEXPIRE", key(), period_ms()});
    return passes;
  }

 private:
  std::string next_member() { return "0b5bb1c0-" + std::to_string(++members_); }

  const Refused refused_;
  std::int64_t members_ = 0;
};

// A list of the times of the last passes, the newest first.
class PassListService final : public Service {
 public:
  using Service::Service;

  bool pass(Time now) override {
    const std::string last = std::to_string(most() - 1);
    const std::string nth_newest = redis().ask({"LINDEX", key(), last}).text;
    const std::string out = ms(now - period());
    if (!nth_newest.empty() && std::stoll(nth_newest) > std::stoll(out)) return false;
    ask({"LPUSH", key(), ms(now)});
    ask({"LTRIM", key(), "0", last});
    ask({"PEXPIRE", key(), period_ms()});
    return true;
  }
};

// A counter that begins to expire with its first hit.
class CounterService final : public Service {
 public:
  using Service::Service;

  bool pass(Time) override {
    if (redis().ask({"SET", key(), "1", "PX", period_ms(), "NX"}).text == "OK") return true;
    return ask({"INCR", key()}) <= most();
  }
};

// A list of tokens: a job pushes one at each multiple of the period, as long as there is room.
class TokenListService final : public Service {
 public:
  TokenListService(RedisServer& redis, std::string key, std::int64_t most, Duration period,
                   Time start)
      : Service{redis, std::move(key), most, period},
        next_{start - start.time_since_epoch() % period + period} {
    while (push_one()) {
    }
  }

  bool pass(Time now) override {
    for (; next_ <= now; next_ += period()) push_one();
    return redis().ask({"LPOP", key()}).text == "token";
  }

 private:
  bool push_one() {
    if (ask({"LLEN", key()}) >= most()) return false;
    return ask({"RPUSH", key(), "token"}) > 0;
  }

  Time next_;
};

}  // namespace tidegate::test
