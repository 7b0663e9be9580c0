// sliding_window_counter: two counters, of this period and the one before; the latter counts for as
// much of it as the sliding window still covers.
//
// Source: Cloudflare, "How we built rate limiting capable of scaling to millions of domains"
// (2017); here the estimate is rounded up, never floored. Promise: about tokens in any window of
// one period, at most 2 x tokens - 1. State: 24 bytes. Pure functions, see algorithm.h for the
// contract. Cost: two divisions.
#pragma once

#include <algorithm>

#include "tidegate/algorithm/aligned.h"
#include "tidegate/algorithm/decision.h"
#include "tidegate/algorithm/limit.h"
#include "tidegate/base/muldiv.h"

namespace tidegate::sliding_window_counter {

struct State {
  Time at{};           // of the newest hit
  Duration period{1};  // under which the counters were kept
  std::uint32_t current = 0;
  std::uint32_t previous = 0;

  bool operator==(const State&) const = default;
};

// The state as seen under a limit at a time.
struct View {
  Time at;
  Time now;
  Time start;  // of the window that holds `now`
  std::uint32_t current;
  std::uint32_t previous;

  std::uint64_t ahead(Duration period) const {
    return static_cast<std::uint64_t>((start + period - now).count());
  }
};

// What counters kept under another period estimated at `at` counts as taken at `at`.
inline std::uint32_t estimate_at(const State& state) {
  const auto period = static_cast<std::uint64_t>(state.period.count());
  const auto ahead =
      period - static_cast<std::uint64_t>(state.at.time_since_epoch().count()) % period;
  const std::uint64_t sum = state.current + muldiv_up(state.previous, ahead, period);
  return static_cast<std::uint32_t>(std::min(sum, kMaxTokens));
}

inline View read(const State& state, const Limit& limit, Time now) {
  const Duration period = limit.period();
  const auto [at, paused] = aligned::pause(state.at, period, now);
  const Time start = aligned::window_start(paused, period);
  View view{at, paused, start, state.current, state.previous};
  if (state.period != period) {
    view.current = estimate_at(state);
    view.previous = 0;
  }
  if (at >= start) return view;
  view.previous = at >= start - period ? view.current : 0;
  view.current = 0;
  return view;
}

// A denied take's wait: until enough of the previous window has slid out, in this window or, once
// the present one has become the previous, in the next.
inline Duration wait(const View& view, const Limit& limit, Time now, Cost cost) {
  const auto period = static_cast<std::uint64_t>(limit.period().count());
  const auto fits = static_cast<std::uint64_t>(limit.tokens() - cost);
  const bool here = fits >= view.current;
  const std::uint64_t room = here ? fits - view.current : fits;
  const std::uint64_t sliding = here ? view.previous : view.current;
  const Time end = view.start + limit.period() * (here ? 1 : 2);
  return end - Duration{static_cast<std::int64_t>(muldiv(room, period, sliding).whole)} - now;
}

inline Duration reset(const View& view, const Limit& limit, Time now, bool charging) {
  if (charging || view.current > 0) return view.start + 2 * limit.period() - now;
  return view.previous > 0 ? view.start + limit.period() - now : Duration{0};
}

inline Decision judge(const View& view, const Limit& limit, Time now, Cost cost) {
  const auto period = static_cast<std::uint64_t>(limit.period().count());
  const auto sliding =
      static_cast<std::int64_t>(muldiv_up(view.previous, view.ahead(limit.period()), period));
  const std::int64_t room = std::int64_t{limit.tokens()} - view.current - sliding;
  const bool allowed = cost <= room;
  Decision decision{.at = view.now, .capacity = limit.tokens(), .allowed = allowed};
  if (!allowed)
    decision.retry_after = cost > limit.tokens() ? kNever : wait(view, limit, now, cost);
  decision.remaining =
      static_cast<std::uint32_t>(std::max<std::int64_t>(0, allowed ? room - cost : room));
  decision.reset_after = reset(view, limit, now, allowed && cost > 0);
  return decision;
}

inline void charge(State& state, const View& view, const Limit& limit, Cost cost) {
  state = {view.now, limit.period(), view.current + static_cast<std::uint32_t>(cost),
           view.previous};
}

inline bool repair(State& state, const Limit& limit, Time now) {
  const View view = read(state, limit, now);
  if (view.at == state.at) return false;
  state = {view.now, limit.period(), view.current, view.previous};
  return true;
}

inline void give_back(State& state, const Limit& limit, Time now, Cost cost, Time at) {
  View view = read(state, limit, now);
  if (at >= view.start + limit.period() || at < view.start - limit.period()) return;
  std::uint32_t& counter = at >= view.start ? view.current : view.previous;
  counter -= static_cast<std::uint32_t>(std::min<std::int64_t>(counter, cost));
  state = {view.now, limit.period(), view.current, view.previous};
}

// The time to give to give_back when the take's own is not known.
inline Time oldest_charge(const State& state, const Limit& limit, Time now) {
  const View view = read(state, limit, now);
  return view.previous > 0 && view.start >= Time{limit.period()} ? view.start - limit.period()
                                                                 : view.start;
}

}  // namespace tidegate::sliding_window_counter
