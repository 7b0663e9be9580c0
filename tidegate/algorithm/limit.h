// A limit: how much may happen in how long, and which algorithm says so. A checked value.
//
//   constexpr Limit five_a_minute = "5/min"_limit;                 // checked by the compiler
//   Expected<Limit> limit = Limit::parse("100/h burst 20");        // checked when read
//   Expected<Limit> limit = Limit::make({.tokens = 5, .period = 60s});
//
// Making one is the only check there is: every Limit lies in the box of `problem_with`, inside
// which every algorithm is exact. Thread safety: a value. Cost: 56 bytes; parsing does not allocate
// unless it fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>

#include "tidegate/algorithm/limit_grammar.h"
#include "tidegate/algorithm/limit_spec.h"
#include "tidegate/base/expected.h"
#include "tidegate/base/muldiv.h"
#include "tidegate/base/time.h"

namespace tidegate {

class Limit {
 public:
  // Reads the one grammar for limits, `5/60s burst 20`; see docs/algorithms.md.
  static Expected<Limit> parse(std::string_view text);
  static Expected<Limit> make(const LimitSpec& spec);

  constexpr Algorithm algorithm() const { return algorithm_; }
  constexpr std::uint32_t tokens() const { return tokens_; }
  constexpr Duration period() const { return period_; }
  constexpr std::uint32_t burst() const { return burst_; }
  constexpr Refill refill() const { return refill_; }
  constexpr std::uint32_t precision() const { return precision_; }

  // The most that can be taken at once. (Only a token_bucket has a burst other than its tokens.)
  constexpr std::uint32_t capacity() const { return tokens_ > 0 ? burst_ : 0; }

  // So much of the capacity, of 255. Requires used <= capacity() and capacity() > 0.
  constexpr std::uint8_t share(std::uint32_t used) const {
    return static_cast<std::uint8_t>(used * share_ >> 32);
  }

  // Derived once, so that a decision divides as little as it can.
  constexpr Duration slot() const { return slot_; }  // sliding_window: hits of one share a run
  constexpr std::uint32_t drain() const { return drain_; }  // token_bucket: units drained a us ...
  constexpr std::uint64_t unit() const { return unit_; }    // ... of which so many make a token
  constexpr Duration refill_time() const { return refill_time_; }  // from empty to full, rounded up

  // A text of the grammar that reads back as this limit.
  std::string to_string() const;

  constexpr bool operator==(const Limit&) const = default;

 private:
  friend consteval Limit operator""_limit(const char* text, std::size_t size);

  constexpr explicit Limit(const LimitSpec& spec)
      : period_{spec.period},
        tokens_{static_cast<std::uint32_t>(spec.tokens)},
        burst_{static_cast<std::uint32_t>(spec.burst.value_or(spec.tokens))},
        precision_{static_cast<std::uint16_t>(spec.precision)},
        algorithm_{spec.algorithm},
        refill_{spec.refill} {
    const auto period = static_cast<std::uint64_t>(period_.count());
    const std::uint64_t shared = std::gcd(std::uint64_t{tokens_}, period);
    drain_ = static_cast<std::uint32_t>(tokens_ / shared);
    unit_ = period / shared;
    if (tokens_ > precision_) slot_ = Duration{divide_up(period, precision_)};
    if (drain_ > 0 && algorithm_ == Algorithm::kTokenBucket)
      refill_time_ = Duration{muldiv_up(burst_, unit_, drain_)};
    if (capacity() > 0) share_ = (std::uint64_t{255} << 32) / capacity() + 1;
  }

  Duration period_;
  std::uint64_t unit_ = 1;
  Duration slot_{1};
  Duration refill_time_{0};
  std::uint64_t share_ = 0;  // 255 / capacity in units of 2^-32, rounded up
  std::uint32_t tokens_;
  std::uint32_t burst_;
  std::uint32_t drain_ = 0;
  std::uint16_t precision_;
  Algorithm algorithm_;
  Refill refill_;
};

// "5/60s"_limit: a limit that the compiler has checked. A mistake is an error where it stands.
consteval Limit operator""_limit(const char* text, std::size_t size) {
  const grammar::Outcome read = grammar::read_limit({text, size});
  if (read.problem != nullptr) throw read.problem;  // not a constant: the compiler points here
  return Limit{read.spec};
}

}  // namespace tidegate
