// The four algorithms behind one set of names: the one place that knows them all.
//
// The contract that each header keeps, in integers of microseconds and tokens:
//   read(state, limit, now) -> View            the state as seen under a limit at a time
//   judge(view, limit, now, cost) -> Decision  changes nothing; a peek is a judge of cost 0
//   charge(state, view, limit, cost)           after every judge of the request said yes; cost > 0
//   repair(state, limit, now) -> bool          rebases a state that is ahead of the clock; written
//                                              even when the answer is a denial, or every later
//                                              denial would rebase it again
//   give_back(state, limit, now, cost, at)     undoes a take that was decided `at`
// `judge` and `charge` of a state, without a view, are here.
// A state holds times at which something happened and amounts, never boundaries: it is read as if
// the present limit had held since, so a limit may change on a live key. State{} is neutral.
//
// All of it is pure: no clock, no lock, no I/O. Thread safety: as an int.
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

#include "tidegate/algorithm/decision.h"
#include "tidegate/algorithm/fixed_window.h"
#include "tidegate/algorithm/limit.h"
#include "tidegate/algorithm/sliding_window.h"
#include "tidegate/algorithm/sliding_window_counter.h"
#include "tidegate/algorithm/token_bucket.h"

namespace tidegate {

// Calls f(std::type_identity<S>{}) with the state type S of an algorithm.
template <class F>
decltype(auto) with_state_type(Algorithm algorithm, F&& f) {
  switch (algorithm) {
    case Algorithm::kSlidingWindowCounter:
      return std::forward<F>(f)(std::type_identity<sliding_window_counter::State>{});
    case Algorithm::kFixedWindow:
      return std::forward<F>(f)(std::type_identity<fixed_window::State>{});
    case Algorithm::kTokenBucket:
      return std::forward<F>(f)(std::type_identity<token_bucket::State>{});
    case Algorithm::kSlidingWindow:
      break;
  }
  return std::forward<F>(f)(std::type_identity<sliding_window::State>{});
}

// Only states have a view: these overloads are for them alone.
template <class S>
using ViewOf = decltype(read(std::declval<const S&>(), std::declval<const Limit&>(), Time{}));

template <class S, class = ViewOf<S>>
constexpr Decision judge(const S& state, const Limit& limit, Time now, Cost cost) {
  return judge(read(state, limit, now), limit, now, cost);
}
template <class S, class = ViewOf<S>>
constexpr void charge(S& state, const Limit& limit, Time now, Cost cost) {
  charge(state, read(state, limit, now), limit, cost);
}

// A state of any algorithm, for code that meets the limit at run time. Judge it under limits of its
// own algorithm only: another algorithm on a key is another state.
using AnyState = std::variant<sliding_window::State, sliding_window_counter::State,
                              fixed_window::State, token_bucket::State>;

inline AnyState make_state(Algorithm algorithm) {
  return with_state_type(algorithm, []<class S>(std::type_identity<S>) { return AnyState{S{}}; });
}

inline Decision judge(const AnyState& state, const Limit& limit, Time now, Cost cost) {
  return std::visit([&](const auto& s) { return judge(s, limit, now, cost); }, state);
}
inline void charge(AnyState& state, const Limit& limit, Time now, Cost cost) {
  std::visit([&](auto& s) { charge(s, limit, now, cost); }, state);
}
inline bool repair(AnyState& state, const Limit& limit, Time now) {
  return std::visit([&](auto& s) { return repair(s, limit, now); }, state);
}
inline void give_back(AnyState& state, const Limit& limit, Time now, Cost cost, Time at) {
  std::visit([&](auto& s) { give_back(s, limit, now, cost, at); }, state);
}

// Drops what may be dropped whenever it is met; only a log has such a thing.
template <class S, class = ViewOf<S>>
void drop_expired(S& state, const Limit& limit, Time now) {
  if constexpr (std::is_same_v<S, sliding_window::State>) forget_expired(state, limit, now);
}

// One whole take of one key: judge, then charge, or repair alone.
template <class S, class = ViewOf<S>>
Decision take(S& state, const Limit& limit, Time now, Cost cost) {
  drop_expired(state, limit, now);
  const auto view = read(state, limit, now);
  const Decision decision = judge(view, limit, now, cost);
  if (cost > 0) {
    if (decision.allowed) {
      charge(state, view, limit, cost);
    } else {
      repair(state, limit, now);
    }
  }
  return decision;
}
inline Decision take(AnyState& state, const Limit& limit, Time now, Cost cost) {
  return std::visit([&](auto& s) { return take(s, limit, now, cost); }, state);
}

}  // namespace tidegate
