// One key in virtual time: a limit, a state and a clock in hand, for tests that tell a story.
//
//   Key key{"5/60s"};
//   EXPECT_EQ(key.admitted_of(15, 1ms), 5);
//
// Times count from a start that is an edge of every unit up to a day. Thread safety: as an int.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "tests/support/limits.h"
#include "tidegate/algorithm/algorithm.h"

namespace tidegate::test {

// Midnight UTC, 2023-11-14.
inline constexpr Time kMidnight{std::chrono::hours{24 * 19675}};

class Key {
 public:
  explicit Key(std::string_view limit, Time start = kMidnight) : Key{limit_of(limit), start} {}
  explicit Key(const Limit& limit, Time start = kMidnight)
      : limit_{limit}, state_{make_state(limit.algorithm())}, start_{start}, now_{start} {}

  // To a time since the start.
  Key& at(Duration since_start) {
    now_ = start_ + since_start;
    return *this;
  }
  Key& advance(Duration by) {
    now_ += by;
    return *this;
  }
  Key& set_limit(std::string_view limit) { return set_limit(limit_of(limit)); }
  Key& set_limit(const Limit& limit) {
    limit_ = limit;
    return *this;
  }

  Decision take(Cost cost = 1) { return tidegate::take(state_, limit_, now_, cost); }
  Decision check(Cost cost = 1) const { return judge(state_, limit_, now_, cost); }
  Decision peek() const { return check(0); }
  void give_back(Cost cost, Time at) { tidegate::give_back(state_, limit_, now_, cost, at); }

  // Tries so many times, so far apart; returns how many were admitted.
  std::int64_t admitted_of(std::int64_t tries, Duration apart = Duration{0}, Cost cost = 1) {
    std::int64_t admitted = 0;
    for (; tries > 0; --tries) {
      admitted += take(cost).allowed;
      advance(apart);
    }
    return admitted;
  }

  Time now() const { return now_; }
  const Limit& limit() const { return limit_; }
  const AnyState& state() const { return state_; }

 private:
  Limit limit_;
  AnyState state_;
  Time start_;
  Time now_;
};

}  // namespace tidegate::test
