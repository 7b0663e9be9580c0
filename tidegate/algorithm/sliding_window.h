// sliding_window: the log of admitted times, bounded. A hit counts for exactly one period.
//
// The window is half open, (now - period, now]: a hit exactly one period old is out. While tokens
// <= precision every hit keeps its own microsecond and the log is exact. Above, hits of one slot of
// period / precision share a run that counts until its newest hit leaves the window.
// Promise: never more than tokens in any window of one period; above precision, a take is denied at
// most one slot too long. State: 24 bytes, plus 8 a run; at most precision + 1 runs.
// Pure functions, see algorithm.h for the contract. Cost: O(1) amortized for cost 1 once
// `forget_expired` has run; O(cost) for retry_after of a denial.
#pragma once

#include <algorithm>

#include "tidegate/algorithm/decision.h"
#include "tidegate/algorithm/limit.h"
#include "tidegate/algorithm/run_log.h"

namespace tidegate::sliding_window {

struct State {
  RunLog runs;

  bool operator==(const State&) const = default;
};

// The live part of a log: runs [first, size), `used` hits in them.
struct View {
  const RunLog* runs;
  Time now;
  std::size_t first;
  std::int64_t used;
};

inline View read(const State& state, const Limit& limit, Time now) {
  View view{&state.runs, now, 0, state.runs.used()};
  const Time out = now - limit.period();
  for (; view.first < state.runs.size() && state.runs[view.first].at <= out; ++view.first)
    view.used -= state.runs[view.first].count;
  return view;
}

// From `now` until a run leaves the window. A run ahead of the clock counts as of now.
inline Duration time_left(const Run& run, const Limit& limit, Time now) {
  return std::min(run.at, now) + limit.period() - now;
}

// Until `excess` hits have left the window.
inline Duration wait(const View& view, const Limit& limit, std::int64_t excess) {
  std::size_t i = view.first;
  while ((excess -= (*view.runs)[i].count) > 0) ++i;
  return time_left((*view.runs)[i], limit, view.now);
}

inline Decision judge(const View& view, const Limit& limit, Time now, Cost cost) {
  const std::int64_t tokens = limit.tokens();
  const bool allowed = cost <= tokens - view.used;
  const std::int64_t used = allowed ? view.used + cost : view.used;
  Decision decision{.at = now, .capacity = limit.tokens(), .allowed = allowed};
  decision.remaining = static_cast<std::uint32_t>(std::max<std::int64_t>(0, tokens - used));
  if (!allowed)
    decision.retry_after = cost > tokens ? kNever : wait(view, limit, view.used + cost - tokens);
  if (allowed && cost > 0) {
    decision.reset_after = limit.period();
  } else if (view.first < view.runs->size()) {
    decision.reset_after = time_left(view.runs->back(), limit, now);
  }
  return decision;
}

// Drops what has left the window, so that no later call walks over it again.
inline void forget_expired(State& state, const Limit& limit, Time now) {
  state.runs.pop_front(read(state, limit, now).first);
}

inline bool repair(State& state, const Limit& limit, Time now) {
  if (state.runs.empty() || state.runs.back().at <= now) return false;
  std::size_t ahead = 0;
  std::uint32_t count = 0;
  while (ahead < state.runs.size()) {
    const Run run = state.runs[state.runs.size() - 1 - ahead];
    if (run.at < now) break;
    count += run.count;
    ++ahead;
  }
  state.runs.pop_back(ahead);
  state.runs.push_back({now, count}, limit.precision());
  return true;
}

inline bool same_slot(Time a, Time b, const Limit& limit) {
  if (limit.slot() == Duration{1}) return a == b;
  return a.time_since_epoch() / limit.slot() == b.time_since_epoch() / limit.slot();
}

// Merges runs that share a slot; needed only after a change of limit has widened the slot. Keeping
// the later time is the safe choice.
inline void coalesce(State& state, const Limit& limit) {
  State merged;
  for (std::size_t i = 0; i < state.runs.size(); ++i) {
    const Run run = state.runs[i];
    if (!merged.runs.empty() && same_slot(merged.runs.back().at, run.at, limit)) {
      merged.runs.set_back({run.at, merged.runs.back().count + run.count});
    } else {
      merged.runs.push_back(run, state.runs.size());
    }
  }
  state = std::move(merged);
}

inline void charge(State& state, const View& view, const Limit& limit, Cost cost) {
  const Time now = view.now;
  state.runs.pop_front(view.first);
  repair(state, limit, now);
  RunLog& runs = state.runs;
  const auto count = static_cast<std::uint32_t>(cost);
  if (!runs.empty() && same_slot(runs.back().at, now, limit)) {
    runs.set_back({now, runs.back().count + count});
  } else {
    runs.push_back({now, count}, std::min(limit.tokens(), limit.precision() + 1));
  }
  if (runs.size() > limit.precision() + 1) coalesce(state, limit);
  runs.trim();
}

// The run that holds `at` is the first whose newest hit is not before it.
inline void give_back(State& state, const Limit& limit, Time now, Cost cost, Time at) {
  repair(state, limit, now);
  forget_expired(state, limit, now);
  RunLog& runs = state.runs;
  std::size_t i = runs.size();
  while (i > 0 && runs[i - 1].at >= at) --i;
  if (i == runs.size() || !same_slot(runs[i].at, at, limit)) return;
  const Run run = runs[i];
  if (run.count > cost) {
    runs.set(i, {run.at, run.count - static_cast<std::uint32_t>(cost)});
  } else {
    runs.erase(i);
  }
  runs.trim();
}

// The time to give to give_back when the take's own is not known.
inline Time oldest_charge(const State& state, const Limit& limit, Time now) {
  const View view = read(state, limit, now);
  return view.first < state.runs.size() ? std::min(state.runs[view.first].at, now) : now;
}

}  // namespace tidegate::sliding_window
