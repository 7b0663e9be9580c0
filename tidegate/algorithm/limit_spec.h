// What a limit is made of, and the box it must lie in. Checked values of it are Limits (limit.h).
//
// Plain values and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tidegate/base/muldiv.h"
#include "tidegate/base/time.h"

namespace tidegate {

enum class Algorithm : std::uint8_t {
  kSlidingWindow,
  kSlidingWindowCounter,
  kFixedWindow,
  kTokenBucket,
};
inline constexpr std::size_t kAlgorithms = 4;

// How a token bucket fills: drop by drop, or `tokens` at each multiple of the period (UTC).
enum class Refill : std::uint8_t { kContinuous, kInterval };

constexpr std::string_view name(Algorithm algorithm) {
  constexpr std::string_view kNames[] = {"sliding_window", "sliding_window_counter", "fixed_window",
                                         "token_bucket"};
  return kNames[static_cast<std::size_t>(algorithm)];
}

// What a limit is made of, before it is checked.
struct LimitSpec {
  std::uint64_t tokens = 0;  // 0 blocks
  Duration period{0};
  Algorithm algorithm = Algorithm::kSlidingWindow;
  std::optional<std::uint64_t> burst = std::nullopt;  // token_bucket; `tokens` when absent
  Refill refill = Refill::kContinuous;                // token_bucket
  std::uint64_t precision = 1024;                     // sliding_window: exact up to so many tokens
};

// The box. The last bound keeps every wait below 100 years.
inline constexpr std::uint64_t kMaxTokens = (std::uint64_t{1} << 32) - 1;
inline constexpr Duration kMaxPeriod = std::chrono::hours{24 * 366};
inline constexpr Duration kMaxRefillTime = std::chrono::hours{24 * 36525};
inline constexpr std::uint64_t kDefaultPrecision = 1024;
inline constexpr std::uint64_t kMaxPrecision = 65535;

// Why a spec is no limit, or nullptr when it is one.
constexpr const char* problem_with(const LimitSpec& spec) {
  const bool bucket = spec.algorithm == Algorithm::kTokenBucket;
  const std::uint64_t burst = spec.burst.value_or(spec.tokens);
  if (spec.tokens > kMaxTokens) return "at most 4294967295 tokens";
  if (burst > kMaxTokens) return "burst is at most 4294967295";
  if (spec.period < Duration{1} || spec.period > kMaxPeriod) return "a period is 1us to 366d";
  if (!bucket && spec.burst) return "burst goes with token_bucket alone";
  if (!bucket && spec.refill != Refill::kContinuous) return "refill goes with token_bucket alone";
  if (spec.precision < 1 || spec.precision > kMaxPrecision) return "precision is 1 to 65535";
  if (spec.algorithm != Algorithm::kSlidingWindow && spec.precision != kDefaultPrecision)
    return "precision goes with sliding_window alone";
  const auto period = static_cast<std::uint64_t>(spec.period.count());
  const auto longest = static_cast<std::uint64_t>(kMaxRefillTime.count());
  if (bucket && spec.tokens > 0 && Wide{burst} * period > Wide{longest} * spec.tokens)
    return "this burst would take more than 100 years to refill";
  return nullptr;
}

}  // namespace tidegate
