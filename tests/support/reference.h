// The algorithms once more, written from their rules and from nothing else: whole amounts in
// 128-bit integers, logs in vectors, no shortcut. They say what the real ones must answer and keep.
//
// Slow and plain on purpose. Nothing that the real ones derive from a limit is used: tokens,
// period, burst and precision alone. Thread safety: as a vector.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "tidegate/algorithm/algorithm.h"

namespace tidegate::reference {

__extension__ using Int = __int128;

constexpr Int floor_div(Int x, Int y) {
  return x >= 0 ? x / y : -((-x + y - 1) / y);
}
constexpr Int ceil_div(Int x, Int y) {
  return -floor_div(-x, y);
}
constexpr Int count(Time t) {
  return t.time_since_epoch().count();
}
constexpr Int count(Duration d) {
  return d.count();
}
constexpr Duration duration(Int us) {
  return Duration{static_cast<std::int64_t>(us)};
}
constexpr Time time(Int us) {
  return Time{duration(us)};
}

// All that a state holds, as numbers in a row.
using Dump = std::vector<std::int64_t>;

class Key {
 public:
  virtual ~Key() = default;
  virtual Decision judge(const Limit& limit, Time now, Cost cost) const = 0;
  virtual void charge(const Limit& limit, Time now, Cost cost) = 0;
  virtual bool repair(const Limit& limit, Time now) = 0;
  virtual void give_back(const Limit& limit, Time now, Cost cost, Time at) = 0;
  virtual Dump dump() const = 0;
};

inline Decision decision(Int at, bool allowed, Int capacity, Int remaining, Int retry, Int reset) {
  return {.at = time(at),
          .retry_after = retry < 0 ? kNever : duration(retry),
          .reset_after = duration(reset),
          .capacity = static_cast<std::uint32_t>(capacity),
          .remaining = static_cast<std::uint32_t>(std::max<Int>(0, remaining)),
          .allowed = allowed};
}
inline constexpr Int kNeverRetry = -1;

// A log of (time of the newest hit, hits).
class SlidingWindow final : public Key {
 public:
  Decision judge(const Limit& limit, Time now, Cost cost) const override {
    Runs live = seen(limit, now);
    const Int tokens = limit.tokens(), period = count(limit.period()), used = sum(live);
    if (used + cost <= tokens) {
      if (cost > 0) live.push_back({count(now), cost});
      return decision(count(now), true, tokens, tokens - used - cost, 0, left(live, period, now));
    }
    const Int retry = cost > tokens ? kNeverRetry : wait(live, used + cost - tokens, period, now);
    return decision(count(now), false, tokens, tokens - used, retry, left(live, period, now));
  }

  void charge(const Limit& limit, Time now, Cost cost) override {
    runs_ = seen(limit, now);
    if (!runs_.empty() && same_slot(limit, runs_.back().first, count(now))) {
      runs_.back() = {count(now), runs_.back().second + cost};
    } else {
      runs_.push_back({count(now), cost});
    }
    if (runs_.size() > limit.precision() + std::size_t{1}) merge_slots(limit);
  }

  bool repair(const Limit&, Time now) override {
    if (runs_.empty() || runs_.back().first <= count(now)) return false;
    runs_ = rebased(now);
    return true;
  }

  void give_back(const Limit& limit, Time now, Cost cost, Time at) override {
    runs_ = seen(limit, now);
    const auto it = std::find_if(runs_.begin(), runs_.end(),
                                 [&](const auto& run) { return run.first >= count(at); });
    if (it == runs_.end() || !same_slot(limit, it->first, count(at))) return;
    it->second -= std::min<Int>(it->second, cost);
    if (it->second == 0) runs_.erase(it);
  }

  Dump dump() const override {
    Dump all;
    for (const auto& [at, hits] : runs_) {
      all.push_back(static_cast<std::int64_t>(at));
      all.push_back(static_cast<std::int64_t>(hits));
    }
    return all;
  }

 private:
  using Runs = std::vector<std::pair<Int, Int>>;

  static Int sum(const Runs& runs) {
    Int total = 0;
    for (const auto& run : runs) total += run.second;
    return total;
  }

  static Int left(const Runs& runs, Int period, Time now) {
    return runs.empty() ? 0 : runs.back().first + period - count(now);
  }

  static Int wait(const Runs& live, Int need, Int period, Time now) {
    for (const auto& [at, hits] : live) {
      need -= hits;
      if (need <= 0) return at + period - count(now);
    }
    return kNeverRetry;
  }

  static bool same_slot(const Limit& limit, Int a, Int b) {
    const Int tokens = limit.tokens(), precision = limit.precision();
    const Int slot = tokens <= precision ? 1 : ceil_div(count(limit.period()), precision);
    return a / slot == b / slot;
  }

  // What is ahead of the clock counts as now.
  Runs rebased(Time now) const {
    if (runs_.empty() || runs_.back().first <= count(now)) return runs_;
    Runs all;
    Int ahead = 0;
    for (const auto& run : runs_) {
      if (run.first >= count(now)) {
        ahead += run.second;
      } else {
        all.push_back(run);
      }
    }
    all.push_back({count(now), ahead});
    return all;
  }

  Runs seen(const Limit& limit, Time now) const {
    Runs live = rebased(now);
    const Int out = count(now) - count(limit.period());
    std::erase_if(live, [&](const auto& run) { return run.first <= out; });
    return live;
  }

  void merge_slots(const Limit& limit) {
    Runs merged;
    for (const auto& run : runs_) {
      if (!merged.empty() && same_slot(limit, merged.back().first, run.first)) {
        merged.back() = {run.first, merged.back().second + run.second};
      } else {
        merged.push_back(run);
      }
    }
    runs_ = merged;
  }

  Runs runs_;
};

// Time stands still on a key until the clock has caught up with it; a stored time is at most one
// period ahead.
inline std::pair<Int, Int> pause(Int at, Int period, Time now) {
  at = std::min(at, count(now) + period);
  return {at, std::max(count(now), at)};
}

class FixedWindow final : public Key {
 public:
  Decision judge(const Limit& limit, Time now, Cost cost) const override {
    const Int tokens = limit.tokens(), period = count(limit.period());
    const Seen seen = read(limit, now);
    const bool allowed = seen.hits + cost <= tokens;
    const Int used = seen.hits + (allowed ? cost : 0);
    const Int edge = (seen.window + 1) * period - count(now);
    return decision(seen.now, allowed, tokens, tokens - used,
                    allowed         ? 0
                    : cost > tokens ? kNeverRetry
                                    : edge,
                    used > 0 ? edge : 0);
  }

  void charge(const Limit& limit, Time now, Cost cost) override {
    const Seen seen = read(limit, now);
    at_ = seen.now;
    hits_ = seen.hits + cost;
  }

  bool repair(const Limit& limit, Time now) override {
    return read(limit, now).at != std::exchange(at_, read(limit, now).at);
  }

  void give_back(const Limit& limit, Time now, Cost cost, Time at) override {
    const Seen seen = read(limit, now);
    const Int period = count(limit.period());
    if (count(at) / period != seen.window || seen.at / period != seen.window || hits_ == 0) return;
    at_ = seen.at;
    hits_ = std::max<Int>(0, hits_ - cost);
  }

  Dump dump() const override {
    return {static_cast<std::int64_t>(at_), static_cast<std::int64_t>(hits_)};
  }

 private:
  struct Seen {
    Int at, now, window, hits;
  };

  Seen read(const Limit& limit, Time now) const {
    const Int period = count(limit.period());
    const auto [at, paused] = pause(at_, period, now);
    const Int window = paused / period;
    return {at, paused, window, at / period == window ? hits_ : 0};
  }

  Int at_ = 0;
  Int hits_ = 0;
};

class SlidingWindowCounter final : public Key {
 public:
  Decision judge(const Limit& limit, Time now, Cost cost) const override {
    const Int tokens = limit.tokens(), period = count(limit.period());
    const Seen s = read(limit, now);
    const Int start = s.now / period * period, passed = s.now - start;
    const bool allowed = s.previous * (period - passed) <= (tokens - s.current - cost) * period;
    const Int current = s.current + (allowed ? cost : 0);
    const Int slid = ceil_div(s.previous * (period - passed), period);
    const Int reset = current > 0      ? start + 2 * period - count(now)
                      : s.previous > 0 ? start + period - count(now)
                                       : 0;
    return decision(s.now, allowed, tokens, tokens - current - slid,
                    allowed ? 0 : retry(s, limit, now, cost), reset);
  }

  void charge(const Limit& limit, Time now, Cost cost) override {
    write(limit, read(limit, now), cost);
  }

  bool repair(const Limit& limit, Time now) override {
    const Seen seen = read(limit, now);
    if (seen.at == at_) return false;
    write(limit, seen, 0);
    return true;
  }

  void give_back(const Limit& limit, Time now, Cost cost, Time at) override {
    const Int period = count(limit.period());
    Seen seen = read(limit, now);
    const Int windows = seen.now / period - count(at) / period;
    if (windows != 0 && windows != 1) return;
    Int& counter = windows == 0 ? seen.current : seen.previous;
    counter = std::max<Int>(0, counter - cost);
    write(limit, seen, 0);
  }

  Dump dump() const override {
    return {static_cast<std::int64_t>(at_), static_cast<std::int64_t>(period_),
            static_cast<std::int64_t>(current_), static_cast<std::int64_t>(previous_)};
  }

 private:
  struct Seen {
    Int at, now, current, previous;
  };

  static Int retry(const Seen& s, const Limit& limit, Time now, Cost cost) {
    const Int tokens = limit.tokens(), period = count(limit.period());
    const Int start = s.now / period * period;
    if (cost > tokens) return kNeverRetry;
    if (s.current + cost <= tokens) {
      const Int room = floor_div((tokens - s.current - cost) * period, s.previous);
      return start + period - room - count(now);
    }
    return start + 2 * period - floor_div((tokens - cost) * period, s.current) - count(now);
  }

  Seen read(const Limit& limit, Time now) const {
    const Int period = count(limit.period());
    Int current = current_, previous = previous_;
    if (period_ != period) {
      // No counter holds more than the box allows.
      const Int estimate = current + ceil_div(previous * (period_ - at_ % period_), period_);
      current = std::min<Int>(estimate, static_cast<std::int64_t>(kMaxTokens));
      previous = 0;
    }
    const auto [at, paused] = pause(at_, period, now);
    const Int windows = paused / period - at / period;
    if (windows == 1) return {at, paused, 0, current};
    if (windows > 1) return {at, paused, 0, 0};
    return {at, paused, current, previous};
  }

  void write(const Limit& limit, const Seen& seen, Cost cost) {
    at_ = seen.now;
    period_ = count(limit.period());
    current_ = seen.current + cost;
    previous_ = seen.previous;
  }

  Int at_ = 0;
  Int period_ = 1;
  Int current_ = 0;
  Int previous_ = 0;
};

class TokenBucket final : public Key {
 public:
  Decision judge(const Limit& limit, Time now, Cost cost) const override {
    const Int full = capacity(limit), unit = unit_of(limit);
    const Seen s = read(limit, now);
    const Int over = s.debt + cost * unit - full * unit;
    const bool allowed = over <= 0;
    const Int debt = s.debt + (allowed ? cost * unit : 0);
    const Int retry = allowed ? 0 : cost > full ? kNeverRetry : drain_time(over, s, limit, now);
    return decision(s.now, allowed, full, floor_div(full * unit - debt, unit), retry,
                    drain_time(debt, s, limit, now));
  }

  void charge(const Limit& limit, Time now, Cost cost) override {
    const Seen seen = read(limit, now);
    write(limit, seen, seen.debt + cost * unit_of(limit));
  }

  bool repair(const Limit& limit, Time now) override {
    const Seen seen = read(limit, now);
    if (seen.at == at_) return false;
    write(limit, seen, seen.debt);
    return true;
  }

  void give_back(const Limit& limit, Time now, Cost cost, Time at) override {
    const Seen seen = read(limit, now);
    if (count(at) > seen.now) return;
    const Int taken = std::min<Int>(cost, capacity(limit)) * unit_of(limit);
    const Int back = std::max<Int>(0, taken - gone(limit, count(at), seen.now));
    write(limit, seen, std::max<Int>(0, seen.debt - back));
  }

  Dump dump() const override {
    return {static_cast<std::int64_t>(at_), static_cast<std::int64_t>(debt_ / unit_),
            static_cast<std::int64_t>(debt_ % unit_), static_cast<std::int64_t>(unit_)};
  }

 private:
  struct Seen {
    Int at, now, debt;
  };

  static Int capacity(const Limit& limit) { return limit.tokens() == 0 ? 0 : limit.burst(); }
  static Int shared(const Limit& limit) {
    return std::gcd(std::int64_t{limit.tokens()}, limit.period().count());
  }
  static Int unit_of(const Limit& limit) { return count(limit.period()) / shared(limit); }

  static Int gone(const Limit& limit, Int from, Int to) {
    const Int period = count(limit.period()), tokens = limit.tokens();
    if (limit.refill() == Refill::kInterval)
      return (to / period - from / period) * tokens * unit_of(limit);
    return (to - from) * (tokens / shared(limit));
  }

  static Int drain_time(Int debt, const Seen& s, const Limit& limit, Time now) {
    if (debt == 0) return 0;
    const Int period = count(limit.period()), tokens = limit.tokens();
    if (limit.refill() == Refill::kInterval)
      return (s.now / period + ceil_div(debt, tokens * unit_of(limit))) * period - count(now);
    return ceil_div(debt, tokens / shared(limit));
  }

  Seen read(const Limit& limit, Time now) const {
    const Int unit = unit_of(limit);
    const Int debt = std::min(ceil_div(debt_ * unit, unit_), capacity(limit) * unit);
    if (limit.refill() == Refill::kInterval) {
      const auto [at, paused] = pause(at_, count(limit.period()), now);
      return {at, paused, std::max<Int>(0, debt - gone(limit, at, paused))};
    }
    const Int at = std::min(at_, count(now));
    return {at, count(now), std::max<Int>(0, debt - gone(limit, at, count(now)))};
  }

  void write(const Limit& limit, const Seen& seen, Int debt) {
    at_ = seen.now;
    debt_ = debt;
    unit_ = unit_of(limit);
  }

  Int at_ = 0;
  Int debt_ = 0;
  Int unit_ = 1;
};

inline std::unique_ptr<Key> make_key(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::kSlidingWindowCounter:
      return std::make_unique<SlidingWindowCounter>();
    case Algorithm::kFixedWindow:
      return std::make_unique<FixedWindow>();
    case Algorithm::kTokenBucket:
      return std::make_unique<TokenBucket>();
    case Algorithm::kSlidingWindow:
      break;
  }
  return std::make_unique<SlidingWindow>();
}

// The same row of numbers from a real state.
inline Dump dump(const sliding_window::State& state) {
  Dump all;
  for (std::size_t i = 0; i < state.runs.size(); ++i) {
    all.push_back(state.runs[i].at.time_since_epoch().count());
    all.push_back(state.runs[i].count);
  }
  return all;
}
inline Dump dump(const fixed_window::State& state) {
  return {state.at.time_since_epoch().count(), state.count};
}
inline Dump dump(const sliding_window_counter::State& state) {
  return {state.at.time_since_epoch().count(), state.period.count(), state.current, state.previous};
}
inline Dump dump(const token_bucket::State& state) {
  return {state.at.time_since_epoch().count(), state.tokens(),
          static_cast<std::int64_t>(state.fraction), static_cast<std::int64_t>(state.unit)};
}
inline Dump dump(const AnyState& state) {
  return std::visit([](const auto& s) { return dump(s); }, state);
}

}  // namespace tidegate::reference
