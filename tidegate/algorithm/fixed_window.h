// fixed_window: a counter per period, reset at each multiple of the period since the epoch (UTC).
//
// Promise: at most 2 x tokens in any window of one period, across an edge. State: 16 bytes.
// Pure functions, see algorithm.h for the contract. Cost: one division.
#pragma once

#include <algorithm>

#include "tidegate/algorithm/aligned.h"
#include "tidegate/algorithm/decision.h"
#include "tidegate/algorithm/limit.h"

namespace tidegate::fixed_window {

// Not the window's start: under another period nobody would know which hits it holds.
struct State {
  Time at{};                // of the newest hit
  std::uint32_t count = 0;  // hits in the window of `at`

  bool operator==(const State&) const = default;
};

// The state as seen under a limit at a time.
struct View {
  Time at;
  Time now;
  Time start;  // of the window that holds `now`
  std::uint32_t count;
};

constexpr View read(const State& state, const Limit& limit, Time now) {
  const auto [at, paused] = aligned::pause(state.at, limit.period(), now);
  const Time start = aligned::window_start(paused, limit.period());
  return {at, paused, start, at >= start ? state.count : 0};
}

constexpr Decision judge(const View& view, const Limit& limit, Time now, Cost cost) {
  const std::int64_t tokens = limit.tokens();
  const bool allowed = cost <= tokens - view.count;
  const std::int64_t used = allowed ? view.count + cost : view.count;
  const Duration edge = view.start + limit.period() - now;
  return {.at = view.now,
          .retry_after = allowed         ? Duration{0}
                         : cost > tokens ? kNever
                                         : edge,
          .reset_after = used > 0 ? edge : Duration{0},
          .capacity = limit.tokens(),
          .remaining = static_cast<std::uint32_t>(std::max<std::int64_t>(0, tokens - used)),
          .allowed = allowed};
}

constexpr void charge(State& state, const View& view, const Limit&, Cost cost) {
  state = {view.now, view.count + static_cast<std::uint32_t>(cost)};
}

constexpr bool repair(State& state, const Limit& limit, Time now) {
  const Time rebased = read(state, limit, now).at;
  const bool due = rebased != state.at;
  state.at = rebased;
  return due;
}

constexpr void give_back(State& state, const Limit& limit, Time now, Cost cost, Time at) {
  const View view = read(state, limit, now);
  const bool same_window = aligned::window_start(at, limit.period()) == view.start;
  if (!same_window || view.count == 0) return;
  const auto back = std::min<std::int64_t>(view.count, cost);
  state = {view.at, view.count - static_cast<std::uint32_t>(back)};
}

// The time to give to give_back when the take's own is not known: it may lie in a window that is
// gone, and then the present one must not pay for it.
constexpr Time oldest_charge(const State&, const Limit&, Time) {
  return Time{};
}

}  // namespace tidegate::fixed_window
