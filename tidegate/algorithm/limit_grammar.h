// The one grammar for limits, read without allocation and at compile time:
//
//   limit    = tokens "/" [count] unit { blanks option }
//   unit     = us | ms | s | min | h | d | w | second[s] | minute[s] | hour[s] | day[s] | week[s]
//            | month[s] (30 d) | year[s] (365 d)                                    in any case
//   option   = "burst" number | "algorithm" name | "refill" ("continuous" | "interval")
//            | "precision" number                                    in any order, each at most
//            once
//
// Without `algorithm`, `burst` or `refill` mean token_bucket; otherwise it is sliding_window.
// Thread safety: pure functions. Cost: one pass over the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tidegate/algorithm/limit_spec.h"

namespace tidegate::grammar {

// What was read, or what is wrong and the offset where.
struct Outcome {
  LimitSpec spec;
  const char* problem = nullptr;
  std::size_t at = 0;
};

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
constexpr bool is_letter(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_';
}

constexpr bool same(std::string_view text, std::string_view word) {
  if (text.size() != word.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (lower(text[i]) != word[i]) return false;
  return true;
}

struct Unit {
  std::string_view name;
  std::uint64_t microseconds;
  bool plural;  // may also be written with an s
};
inline constexpr Unit kUnits[] = {
    {"us", 1, false},
    {"ms", 1'000, false},
    {"s", 1'000'000, false},
    {"min", 60'000'000, false},
    {"h", 3'600'000'000, false},
    {"d", 86'400'000'000, false},
    {"w", 604'800'000'000, false},
    {"second", 1'000'000, true},
    {"minute", 60'000'000, true},
    {"hour", 3'600'000'000, true},
    {"day", 86'400'000'000, true},
    {"week", 604'800'000'000, true},
    {"month", 2'592'000'000'000, true},
    {"year", 31'536'000'000'000, true},
};

// Microseconds in a unit, or 0 when there is no such unit.
constexpr std::uint64_t microseconds_in(std::string_view name) {
  for (const Unit& unit : kUnits) {
    if (same(name, unit.name)) return unit.microseconds;
    if (unit.plural && !name.empty() && lower(name.back()) == 's' &&
        same(name.substr(0, name.size() - 1), unit.name))
      return unit.microseconds;
  }
  return 0;
}

// Reads a text from left to right; the first problem stops it and is kept.
class Reader {
 public:
  constexpr explicit Reader(std::string_view text) : text_{text} {}

  constexpr Outcome limit() {
    rate();
    while (ok() && option()) {
    }
    if (ok()) conclude();
    return out_;
  }

  // A duration alone: `10ms`, `60 s` is not one, `min` is.
  constexpr Outcome duration() {
    period();
    if (ok() && at_ < text_.size()) fail("unexpected text after the duration");
    return out_;
  }

 private:
  constexpr bool ok() const { return out_.problem == nullptr; }
  constexpr bool here(char c) const { return at_ < text_.size() && text_[at_] == c; }
  constexpr bool here_digit() const { return at_ < text_.size() && is_digit(text_[at_]); }

  constexpr void fail_at(std::size_t at, const char* problem) {
    if (!ok()) return;
    out_.problem = problem;
    out_.at = at;
  }
  constexpr void fail(const char* problem) { fail_at(at_, problem); }

  constexpr void rate() {
    out_.spec.tokens = number(kMaxTokens, "expected a number of tokens, 0 to 4294967295");
    if (!ok()) return;
    if (!here('/')) return fail("expected '/' and a period after the number of tokens");
    ++at_;
    period();
  }

  constexpr void period() {
    constexpr auto longest = static_cast<std::uint64_t>(kMaxPeriod.count());
    const std::size_t start = at_;
    const std::uint64_t count = here_digit() ? number(longest, "a period is 1us to 366d") : 1;
    if (!ok()) return;
    const std::size_t name_at = at_;
    const std::uint64_t unit = microseconds_in(word());
    if (unit == 0) return fail_at(name_at, "expected a unit: us ms s min h d w, or second to year");
    if (count == 0 || count > longest / unit) return fail_at(start, "a period is 1us to 366d");
    out_.spec.period = Duration{static_cast<std::int64_t>(count * unit)};
  }

  // Digits below or at `most`; what is there instead is a problem.
  constexpr std::uint64_t number(std::uint64_t most, const char* problem) {
    const std::size_t start = at_;
    std::uint64_t value = 0;
    for (; here_digit(); ++at_) {
      value = value * 10 + static_cast<std::uint64_t>(text_[at_] - '0');
      if (value > most) return fail_at(start, problem), 0;
    }
    if (at_ == start) fail(problem);
    return value;
  }

  constexpr std::string_view word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  constexpr bool skip_blanks() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    return at_ > start;
  }

  // One option with its value; false at the end of the text.
  constexpr bool option() {
    if (at_ == text_.size()) return false;
    const bool apart = skip_blanks();
    if (at_ == text_.size() || !apart) {
      fail(apart ? "blanks at the end" : "expected a blank before an option");
      return false;
    }
    const std::size_t start = at_;
    const std::string_view name = word();
    if (!skip_blanks() && is_known(name)) fail("expected a blank and a value after the option");
    if (same(name, "burst")) return burst(start);
    if (same(name, "algorithm")) return algorithm(start);
    if (same(name, "refill")) return refill(start);
    if (same(name, "precision")) return precision(start);
    fail_at(start, "expected an option: burst, algorithm, refill or precision");
    return false;
  }

  static constexpr bool is_known(std::string_view name) {
    return same(name, "burst") || same(name, "algorithm") || same(name, "refill") ||
           same(name, "precision");
  }

  // Where an option stands, 0 when it does not: nothing but a rate starts a limit.
  constexpr void once(std::size_t& seen, std::size_t start) {
    if (seen != 0) fail_at(start, "this option was given before");
    seen = start;
  }

  constexpr bool burst(std::size_t start) {
    once(burst_at_, start);
    out_.spec.burst = number(kMaxTokens, "expected a burst, 0 to 4294967295");
    return ok();
  }

  constexpr bool precision(std::size_t start) {
    once(precision_at_, start);
    const std::size_t value_at = at_;
    out_.spec.precision = number(kMaxPrecision, "expected a precision, 1 to 65535");
    if (out_.spec.precision == 0) fail_at(value_at, "expected a precision, 1 to 65535");
    return ok();
  }

  constexpr bool refill(std::size_t start) {
    once(refill_at_, start);
    const std::size_t value_at = at_;
    const std::string_view value = word();
    if (same(value, "interval")) {
      out_.spec.refill = Refill::kInterval;
    } else if (!same(value, "continuous")) {
      fail_at(value_at, "expected refill continuous or refill interval");
    }
    return ok();
  }

  constexpr bool algorithm(std::size_t start) {
    once(algorithm_at_, start);
    const std::size_t value_at = at_;
    const std::string_view value = word();
    if (same(value, "gcra")) {
      out_.spec.algorithm = Algorithm::kTokenBucket;
      return ok();
    }
    for (std::size_t i = 0; i < kAlgorithms; ++i) {
      out_.spec.algorithm = static_cast<Algorithm>(i);
      if (same(value, name(out_.spec.algorithm))) return ok();
    }
    fail_at(value_at,
            "expected an algorithm: sliding_window, sliding_window_counter, fixed_window or "
            "token_bucket");
    return false;
  }

  // What the options mean together.
  constexpr void conclude() {
    LimitSpec& spec = out_.spec;
    if (algorithm_at_ == 0 && (burst_at_ != 0 || refill_at_ != 0))
      spec.algorithm = Algorithm::kTokenBucket;
    const bool bucket = spec.algorithm == Algorithm::kTokenBucket;
    if (burst_at_ != 0 && !bucket) fail_at(burst_at_, "burst goes with token_bucket alone");
    if (refill_at_ != 0 && !bucket) fail_at(refill_at_, "refill goes with token_bucket alone");
    if (precision_at_ != 0 && spec.algorithm != Algorithm::kSlidingWindow)
      fail_at(precision_at_, "precision goes with sliding_window alone");
    if (ok()) fail_if(burst_at_, problem_with(spec));
  }
  constexpr void fail_if(std::size_t at, const char* problem) {
    if (problem != nullptr) fail_at(at, problem);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Outcome out_;
  std::size_t burst_at_ = 0;
  std::size_t algorithm_at_ = 0;
  std::size_t refill_at_ = 0;
  std::size_t precision_at_ = 0;
};

constexpr Outcome read_limit(std::string_view text) {
  return Reader{text}.limit();
}
constexpr Outcome read_duration(std::string_view text) {
  return Reader{text}.duration();
}

}  // namespace tidegate::grammar
