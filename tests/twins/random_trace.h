// Random operations on some hundred keys, each with what the reference store says to it.
//
// Costs from none to above any capacity, periods from a microsecond to a year, a clock that creeps,
// leaps, waits just as long as it was told and steps back, limits that change, takes that are given
// back, several takes in a request. Thread safety: none.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/limits.h"
#include "tests/support/random.h"
#include "tests/support/store_reference.h"
#include "tests/twins/calls.h"
#include "tidegate/base/clock.h"

namespace tidegate::test {

// One operation: as a call of the script, and its answer.
struct Step {
  Call call;
  std::vector<std::string> keys = {};
  std::vector<Take> takes = {};  // none: nothing to compare
  Verdict expected = {};
};

struct TracePlan {
  std::vector<Kind> kinds;
  std::string_view layout = {};
  Duration tick{1};
  std::int64_t most_tokens = 2'000;
};

class RandomTrace {
 public:
  RandomTrace(Random& random, TracePlan plan) : random_{random}, plan_{std::move(plan)} {
    const Duration period = some_period();
    for (int i = 0; i < kLimits; ++i) {
      const bool anything = plan_.layout.empty() && random_.chance(30);
      const Kind kind = random_.pick_from(plan_.kinds);
      limits_.push_back(anything ? random_limit(random_, kind)
                                 : small_limit(kind, random_.chance(50) ? period : some_period()));
    }
  }

  Step next() {
    move_clock();
    const std::int64_t dice = random_.between(0, 99);
    if (dice < 85) return take();
    if (dice < 98 && !taken_.empty()) return give_back();
    return reset();
  }

 private:
  static constexpr int kKeys = 500;
  static constexpr int kLimits = 8;

  struct Taken {
    std::string key;
    Limit limit;
    Cost cost;
    Time at;
  };

  Duration some_period() {
    constexpr std::int64_t kYear = std::int64_t{365} * 24 * 3'600 * 1'000'000;
    const std::int64_t most = kYear / plan_.tick.count();
    const std::int64_t ticks = random_.chance(50)
                                   ? random_.log_between(1, most)
                                   : random_.pick<std::int64_t>({1, 7, 1'000, 60'000, 86'400'000});
    return ticks * plan_.tick;
  }

  Limit small_limit(const Kind& kind, Duration period) {
    for (;;) {
      const std::int64_t tokens = random_.log_between(0, plan_.most_tokens);
      LimitSpec spec = spec_of(kind, static_cast<std::uint64_t>(tokens), period);
      if (kind.algorithm == Algorithm::kSlidingWindow && plan_.layout.empty() && random_.chance(50))
        spec.precision = static_cast<std::uint64_t>(random_.log_between(1, 64));
      if (kind.bucket() && random_.chance(70))
        spec.burst = static_cast<std::uint64_t>(random_.log_between(0, 3'000));
      if (const auto limit = Limit::make(spec)) return *limit;
    }
  }

  void move_clock() {
    const std::int64_t period = random_.pick_from(limits_).period() / plan_.tick;
    const std::int64_t dice = random_.between(0, 99);
    if (dice < 50) advance(random_.between(0, 3));
    if (dice >= 50 && dice < 75) advance(random_.between(0, period / 8));
    if (dice >= 75 && dice < 80) advance(random_.between(0, 2 * period));
    if (dice >= 80 && dice < 88 && last_wait_ != kNever)
      advance(last_wait_ / plan_.tick - random_.between(0, 1));
    if (dice == 88) advance(-random_.between(0, 3 * period));
    if (dice == 89) advance(-random_.between(0, 100));
    if (random_.chance(1) && random_.chance(5)) clock_.set(some_time());
  }

  void advance(std::int64_t ticks) { clock_.advance(ticks * plan_.tick); }

  Time some_time() {
    const Duration late = kEndOfTime.time_since_epoch() / 2;
    return Time{random_.between(0, late / plan_.tick) * plan_.tick};
  }

  // A few keys get most.
  std::int64_t some_key() {
    const std::int64_t dice = random_.between(0, 99);
    return random_.between(1, dice < 20 ? 1 : dice < 70 ? kLimits : kKeys);
  }

  // A key stays with its limit most of the time.
  const Limit& limit_for(std::int64_t key) {
    return random_.chance(90) ? limits_[static_cast<std::size_t>(key) % kLimits]
                              : random_.pick_from(limits_);
  }

  Cost some_cost(const Limit& limit) {
    const Cost capacity = limit.capacity();
    return random_.pick<Cost>({0, 1, 1, 1, 1, 1, 2, 3, capacity / 10, random_.between(0, capacity),
                               capacity, capacity + 1, random_.log_between(0, Cost{1} << 62)});
  }

  Role some_role() {
    return random_.pick({Role::kBinding, Role::kBinding, Role::kShadow, Role::kQuota});
  }

  static std::string name_of_key(std::int64_t key) { return "key " + std::to_string(key); }

  Step take() {
    Step step;
    std::vector<std::int64_t> keys(
        static_cast<std::size_t>(random_.chance(85) ? 1 : random_.between(2, 6)));
    for (std::int64_t& key : keys) step.keys.push_back(name_of_key(key = some_key()));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const Limit& limit = limit_for(keys[i]);
      step.takes.push_back(
          {.key = step.keys[i], .limit = limit, .cost = some_cost(limit), .role = some_role()});
    }
    const TakeOp op =
        answered(TakeOp{.takes = step.takes,
                        .charge = random_.chance(20) ? Charge::kEach : Charge::kAllOrNothing,
                        .check_only = random_.chance(15)});
    if (op.error) return take();  // two limits on one key
    remember(op);
    step.call = call_of(op, clock_.now(), plan_.layout);
    step.expected = op.verdict;
    return step;
  }

  void remember(const TakeOp& op) {
    const Decision& decision = op.verdict.bound();
    last_wait_ = decision.allowed ? decision.reset_after : decision.retry_after;
    if (!op.verdict.allowed || op.check_only) return;
    const Take& take = op.takes[op.verdict.binding];
    taken_.push_back({std::string{take.key}, take.limit, take.cost, decision.at});
    if (taken_.size() > 50) taken_.pop_front();
  }

  // Of the latest few half the time: their hits are still there.
  const Taken& some_taken() {
    const auto count = static_cast<std::int64_t>(taken_.size());
    const std::int64_t back =
        random_.between(1, random_.chance(50) ? std::min(count, std::int64_t{4}) : count);
    return taken_[static_cast<std::size_t>(count - back)];
  }

  Step give_back() {
    const Taken& taken = some_taken();
    GiveBackOp op{.key = taken.key, .limit = taken.limit, .cost = taken.cost, .at = taken.at};
    if (random_.chance(20)) op.at = std::nullopt;
    if (random_.chance(10)) op.at = clamp(clock_.now() - random_.between(-5, 50) * plan_.tick);
    if (random_.chance(20)) op.cost = random_.log_between(0, Cost{1} << 40);
    return {.call = call_of(answered(op), clock_.now(), plan_.layout)};
  }

  Step reset() {
    const std::string key = name_of_key(some_key());
    answered(ResetOp{.key = key});
    return {.call = call_to_reset(key, plan_.layout)};
  }

  template <class Op>
  Op answered(Op op) {
    op.complete = [](Op&) {};
    reference_.submit(op);
    return op;
  }

  Random& random_;
  const TracePlan plan_;
  std::vector<Limit> limits_;
  ManualClock clock_;
  ReferenceStore reference_{clock_};
  std::deque<Taken> taken_;
  Duration last_wait_{0};
};

}  // namespace tidegate::test
