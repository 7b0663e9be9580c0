// The limits that every store is tried with: each algorithm, in each of its shapes.
//
// Values and pure functions.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tests/support/limits.h"
#include "tidegate/algorithm/limit.h"

namespace tidegate::test {

struct LimitCase {
  std::string name;
  Limit limit;
};

inline void PrintTo(const LimitCase& each, std::ostream* out) {
  *out << each.limit.to_string();
}

inline const std::vector<LimitCase>& limit_cases() {
  static const std::vector<LimitCase> cases{
      {"SlidingWindow", "5/60s"_limit},
      {"SlidingWindowCoarse", "20/60s precision 4"_limit},
      {"SlidingWindowCounter", "5/60s algorithm sliding_window_counter"_limit},
      {"FixedWindow", "5/60s algorithm fixed_window"_limit},
      {"TokenBucket", "5/60s algorithm token_bucket"_limit},
      {"TokenBucketBurst", "3/60s burst 7"_limit},
      {"TokenBucketInterval", "5/60s refill interval"_limit},
      {"TokenBucketIntervalBurst", "2/60s burst 7 refill interval"_limit},
  };
  return cases;
}

// The same limit with other numbers; tokens and burst grow by `more`, which may be negative.
inline Limit with_more(const Limit& limit, std::int64_t more, Duration period) {
  LimitSpec spec{.tokens = static_cast<std::uint64_t>(limit.tokens() + more),
                 .period = period,
                 .algorithm = limit.algorithm(),
                 .refill = limit.refill(),
                 .precision = limit.precision()};
  if (limit.algorithm() == Algorithm::kTokenBucket)
    spec.burst = static_cast<std::uint64_t>(limit.burst() + more);
  return Limit::make(spec).value();
}

inline Limit with_more(const Limit& limit, std::int64_t more) {
  return with_more(limit, more, limit.period());
}

}  // namespace tidegate::test
