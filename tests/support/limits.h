// Limits for tests: by name, by text, and at random from all over the box.
//
// Thread safety: plain functions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/support/random.h"
#include "tidegate/algorithm/algorithm.h"
#include "tidegate/algorithm/decision.h"
#include "tidegate/algorithm/limit.h"

namespace tidegate {

// How GoogleTest shows them.
inline void PrintTo(const Limit& limit, std::ostream* out) {
  *out << limit.to_string();
}

inline void PrintTo(const Decision& decision, std::ostream* out) {
  const auto wait = [&](Duration d) { return d == kNever ? "never" : std::to_string(d.count()); };
  *out << (decision.allowed ? "allowed" : "denied") << " remaining=" << decision.remaining
       << " capacity=" << decision.capacity << " retry_after=" << wait(decision.retry_after)
       << " reset_after=" << wait(decision.reset_after)
       << " at=" << decision.at.time_since_epoch().count();
}

inline void PrintTo(const Error& error, std::ostream* out) {
  *out << error.message();
}

}  // namespace tidegate

namespace tidegate::test {

inline constexpr Time at_us(std::int64_t microseconds) {
  return Time{Duration{microseconds}};
}

// Throws, which fails the test, when the text is no limit.
inline Limit limit_of(std::string_view text) {
  const Expected<Limit> limit = Limit::parse(text);
  if (!limit) throw std::invalid_argument{limit.error().message()};
  return *limit;
}

inline Limit limit_of(const LimitSpec& spec) {
  const Expected<Limit> limit = Limit::make(spec);
  if (!limit) throw std::invalid_argument{limit.error().message()};
  return *limit;
}

// The four algorithms and the second refill of token_bucket: five things to test.
struct Kind {
  Algorithm algorithm;
  Refill refill = Refill::kContinuous;

  bool bucket() const { return algorithm == Algorithm::kTokenBucket; }
  bool interval() const { return refill == Refill::kInterval; }
  // Whether edges are multiples of the period since the epoch, so that the clock's steps back pause
  // the key.
  bool aligned() const { return bucket() ? interval() : algorithm != Algorithm::kSlidingWindow; }
};

inline constexpr Kind kKinds[] = {
    {Algorithm::kSlidingWindow},
    {Algorithm::kSlidingWindowCounter},
    {Algorithm::kFixedWindow},
    {Algorithm::kTokenBucket, Refill::kContinuous},
    {Algorithm::kTokenBucket, Refill::kInterval},
};

inline std::string name_of(const Kind& kind) {
  return std::string{name(kind.algorithm)} + (kind.interval() ? "_interval" : "");
}
inline void PrintTo(const Kind& kind, std::ostream* out) {
  *out << name_of(kind);
}

// For INSTANTIATE_TEST_SUITE_P.
inline std::string name_of_param(const testing::TestParamInfo<Kind>& info) {
  return name_of(info.param);
}

inline LimitSpec spec_of(const Kind& kind, std::uint64_t tokens, Duration period) {
  return {.tokens = tokens, .period = period, .algorithm = kind.algorithm, .refill = kind.refill};
}

// The longest that a denied take can have to wait under a limit, whatever it was before.
inline Duration longest_wait(const Limit& limit) {
  const auto periods = [&](std::int64_t n) { return n * limit.period(); };
  if (limit.algorithm() == Algorithm::kSlidingWindowCounter) return periods(2);
  if (limit.algorithm() != Algorithm::kTokenBucket) return periods(1);
  if (limit.tokens() == 0) return Duration{0};
  const std::int64_t burst = limit.burst();
  if (limit.refill() == Refill::kInterval)
    return periods((burst + limit.tokens() - 1) / limit.tokens());
  const Wide wide = Wide{limit.burst()} * static_cast<std::uint64_t>(limit.period().count());
  return Duration{static_cast<std::int64_t>((wide + limit.tokens() - 1) / limit.tokens())};
}

// What an algorithm promises for any window of one period.
inline std::int64_t promise(const Limit& limit) {
  const std::int64_t tokens = limit.tokens();
  switch (limit.algorithm()) {
    case Algorithm::kSlidingWindow:
      return tokens;
    case Algorithm::kFixedWindow:
      return 2 * tokens;
    case Algorithm::kSlidingWindowCounter:
      return std::max<std::int64_t>(0, 2 * tokens - 1);
    case Algorithm::kTokenBucket:
      break;
  }
  return tokens > 0 ? limit.burst() + tokens : 0;
}

// Any limit of the box, every order of magnitude as likely as another.
inline Limit random_limit(Random& random, const Kind& kind) {
  for (;;) {
    const auto tokens = static_cast<std::uint64_t>(
        random.chance(10) ? 0 : random.log_between(1, static_cast<std::int64_t>(kMaxTokens)));
    LimitSpec spec = spec_of(kind, tokens, Duration{random.log_between(1, kMaxPeriod.count())});
    if (kind.bucket() && random.chance(70))
      spec.burst = static_cast<std::uint64_t>(
          random.log_between(random.chance(5) ? 0 : 1, static_cast<std::int64_t>(kMaxTokens)));
    if (kind.algorithm == Algorithm::kSlidingWindow && random.chance(60))
      spec.precision = static_cast<std::uint64_t>(
          random.log_between(1, static_cast<std::int64_t>(kMaxPrecision)));
    if (const auto limit = Limit::make(spec)) return *limit;
  }
}

}  // namespace tidegate::test
