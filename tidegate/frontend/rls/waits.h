// A decision in the protocol's own units: whole seconds, rounded up, so that who waits them out is
// admitted.
//
// Pure functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "tidegate/algorithm/decision.h"

namespace tidegate::frontend::rls {

constexpr std::int64_t seconds_up(Duration wait) {
  constexpr std::int64_t kSecond = Duration{std::chrono::seconds{1}}.count();
  return (wait.count() + kSecond - 1) / kSecond;
}

// Until a denied request may come again: at least 1. Nothing when it can never be allowed.
constexpr std::optional<std::int64_t> seconds_to_wait(const Decision& denial) {
  if (denial.retry_after == kNever) return std::nullopt;
  return std::max<std::int64_t>(1, seconds_up(denial.retry_after));
}

// Until all is there again, or after a denial, until so much that it would be admitted.
constexpr std::int64_t seconds_until_change(const Decision& decision) {
  const std::int64_t reset = seconds_up(decision.reset_after);
  return decision.allowed ? reset : seconds_to_wait(decision).value_or(reset);
}

// Nothing remains for who was denied, though less than was asked for may be left: what proxies show
// is the least of what remains.
constexpr std::uint32_t remaining_of(const Decision& decision) {
  return decision.allowed ? decision.remaining : 0;
}

}  // namespace tidegate::frontend::rls
