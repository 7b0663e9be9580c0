// token_bucket: `burst` tokens at most, refilled at tokens / period; what is stored is the debt.
//
// GCRA (ITU-T I.371) is its arithmetic: debt x unit is the distance of the theoretical arrival
// time. Continuous: a token drains in `unit` / `drain` microseconds, a ratio that is never rounded.
// Interval: `tokens` come back at each multiple of the period since the epoch (UTC).
// Promise: at most burst + tokens in any window of one period. State: 24 bytes.
// Pure functions, see algorithm.h for the contract. Cost: two divisions at most, none above 64 bits
// for limits that people write.
#pragma once

#include <algorithm>

#include "tidegate/algorithm/aligned.h"
#include "tidegate/algorithm/decision.h"
#include "tidegate/algorithm/limit.h"
#include "tidegate/base/muldiv.h"

namespace tidegate::token_bucket {

// As of `at`, tokens + fraction / unit are owed. Packed into three words.
struct State {
  Time at{};
  std::uint64_t fraction : 48 = 0;
  std::uint64_t tokens_low : 16 = 0;
  std::uint64_t unit : 48 = 1;
  std::uint64_t tokens_high : 16 = 0;

  constexpr std::uint32_t tokens() const {
    return static_cast<std::uint32_t>(tokens_high << 16 | tokens_low);
  }
  bool operator==(const State&) const = default;
};

// An amount of tokens + fraction / unit, under the unit of one limit.
struct Debt {
  std::int64_t tokens = 0;
  std::uint64_t fraction = 0;  // < unit

  bool operator<=(const Debt& other) const {
    return tokens < other.tokens || (tokens == other.tokens && fraction <= other.fraction);
  }
  std::int64_t rounded_up() const { return tokens + (fraction > 0); }
};

inline Debt subtract(const Debt& from, const Debt& amount, std::uint64_t unit) {
  if (from <= amount) return {};
  const std::uint64_t borrow = from.fraction < amount.fraction;  // as good as random: no branch
  return {from.tokens - amount.tokens - static_cast<std::int64_t>(borrow),
          from.fraction + borrow * unit - amount.fraction};
}

// The state as seen under a limit at a time.
struct View {
  Time at;    // the stored time, rebased
  Time now;   // the key's own time of decision
  Debt debt;  // as of `now`
};

// What is owed as of the state's own time, as if this limit had held then: clamped to the burst
// before anything drains.
inline Debt stored_debt(const State& state, const Limit& limit) {
  Debt debt{state.tokens(), state.fraction};
  if (state.unit != limit.unit()) {
    debt.fraction = muldiv_up(debt.fraction, limit.unit(), state.unit);
    if (debt.fraction == limit.unit()) debt = {debt.tokens + 1, 0};
  }
  const Debt full{limit.capacity(), 0};
  return debt <= full ? debt : full;
}

// What drains continuously in a time.
inline Debt drained(Duration elapsed, const Limit& limit) {
  if (elapsed >= limit.refill_time()) return {limit.capacity(), 0};
  const auto us = static_cast<std::uint64_t>(elapsed.count());
  const Quotient q = limit.drain() == 1 ? Quotient{us / limit.unit(), us % limit.unit()}
                                        : muldiv(us, limit.drain(), limit.unit());
  return {static_cast<std::int64_t>(q.whole), q.rest};
}

// What `edges` refills of an interval bucket give back.
inline Debt refilled(std::int64_t edges, const Limit& limit) {
  const Wide tokens = Wide{limit.tokens()} * static_cast<std::uint64_t>(edges);
  return {static_cast<std::int64_t>(std::min<Wide>(tokens, kMaxTokens)), 0};
}

inline View read(const State& state, const Limit& limit, Time now) {
  const Debt debt = stored_debt(state, limit);
  if (limit.refill() == Refill::kContinuous) {
    const Time at = std::min(state.at, now);
    return {at, now, subtract(debt, drained(now - at, limit), limit.unit())};
  }
  const auto [at, paused] = aligned::pause(state.at, limit.period(), now);
  const std::int64_t edges = aligned::edges_between(at, paused, limit.period());
  return {at, paused, subtract(debt, refilled(edges, limit), limit.unit())};
}

// How long until this much has drained.
inline Duration time_to_drain(const Debt& debt, const View& view, const Limit& limit, Time now) {
  if (debt <= Debt{}) return Duration{0};
  if (limit.refill() == Refill::kContinuous) {
    const Wide units = Wide{static_cast<std::uint64_t>(debt.tokens)} * limit.unit() + debt.fraction;
    if (limit.drain() == 1) return Duration{static_cast<std::int64_t>(units)};
    return Duration{static_cast<std::int64_t>(divide_up(units, limit.drain()))};
  }
  const std::int64_t tokens = limit.tokens();
  const std::int64_t edges = (debt.rounded_up() + tokens - 1) / tokens;
  return aligned::window_start(view.now, limit.period()) + edges * limit.period() - now;
}

inline Decision judge(const View& view, const Limit& limit, Time now, Cost cost) {
  const std::int64_t capacity = limit.capacity();
  Debt debt = view.debt;
  const bool allowed = cost <= capacity - debt.rounded_up();
  Decision decision{.at = view.now, .capacity = limit.capacity(), .allowed = allowed};
  if (allowed) {
    debt.tokens += cost;
  } else if (cost > capacity) {
    decision.retry_after = kNever;
  } else {
    const Debt over{debt.tokens + cost - capacity, debt.fraction};
    decision.retry_after = time_to_drain(over, view, limit, now);
  }
  decision.remaining = static_cast<std::uint32_t>(capacity - debt.rounded_up());
  decision.reset_after = time_to_drain(debt, view, limit, now);
  return decision;
}

inline void store(State& state, const Limit& limit, Time at, const Debt& debt) {
  constexpr std::uint64_t k48Bits = (std::uint64_t{1} << 48) - 1;
  const auto tokens = static_cast<std::uint64_t>(debt.tokens);
  state.at = at;
  state.fraction = debt.fraction & k48Bits;
  state.tokens_low = tokens & 0xffff;
  state.unit = limit.unit() & k48Bits;
  state.tokens_high = tokens >> 16 & 0xffff;
}

inline void charge(State& state, const View& view, const Limit& limit, Cost cost) {
  store(state, limit, view.now, {view.debt.tokens + cost, view.debt.fraction});
}

inline bool repair(State& state, const Limit& limit, Time now) {
  const View view = read(state, limit, now);
  if (view.at == state.at) return false;
  store(state, limit, view.now, view.debt);
  return true;
}

// Only what has not drained since the take comes back.
inline void give_back(State& state, const Limit& limit, Time now, Cost cost, Time at) {
  const View view = read(state, limit, now);
  if (at > view.now) return;
  const bool continuous = limit.refill() == Refill::kContinuous;
  const Debt gone = continuous
                        ? drained(view.now - at, limit)
                        : refilled(aligned::edges_between(at, view.now, limit.period()), limit);
  const Debt back = subtract({std::min<Cost>(cost, limit.capacity()), 0}, gone, limit.unit());
  store(state, limit, view.now, subtract(view.debt, back, limit.unit()));
}

// The time to give to give_back when the take's own is not known: a debt does not say how old it
// is, and as old as can be is the only time at which nothing is returned twice.
constexpr Time oldest_charge(const State&, const Limit&, Time) {
  return Time{};
}

}  // namespace tidegate::token_bucket
