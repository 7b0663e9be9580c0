// The real algorithms against those of support/reference.h: any limit of the box, any order of
// takes, peeks, denials, gifts back, steps of the clock and changes of the limit. Every field of
// every decision is equal, and so is the state that is left.
#include "tests/support/reference.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/limits.h"
#include "tests/support/random.h"

namespace tidegate::test {
namespace {

// A real state and its reference side by side, which must never differ.
class Pair {
 public:
  explicit Pair(const Limit& limit)
      : limit_{limit},
        real_{make_state(limit.algorithm())},
        reference_{reference::make_key(limit.algorithm())} {}

  void set_limit(const Limit& limit) { limit_ = limit; }
  const Limit& limit() const { return limit_; }

  Decision judge(Time now, Cost cost) const {
    const Decision got = tidegate::judge(real_, limit_, now, cost);
    const Decision right = reference_->judge(limit_, now, cost);
    if (got != right) differ("judge", now, cost, got, right);
    return got;
  }

  // Judges, then writes what a store would.
  Decision take(Time now, Cost cost) {
    const Decision decision = judge(now, cost);
    if (cost == 0) return decision;
    if (decision.allowed) {
      charge(real_, limit_, now, cost);
      reference_->charge(limit_, now, cost);
    } else {
      repair(now);
    }
    same_state("take", now, cost);
    return decision;
  }

  void repair(Time now) {
    const bool got = tidegate::repair(real_, limit_, now);
    const bool right = reference_->repair(limit_, now);
    if (got != right) differ("repair", now, 0, got, right);
    same_state("repair", now, 0);
  }

  void give_back(Time now, Cost cost, Time at) {
    tidegate::give_back(real_, limit_, now, cost, at);
    reference_->give_back(limit_, now, cost, at);
    same_state("give_back", now, cost);
  }

 private:
  void same_state(const char* after, Time now, Cost cost) const {
    const reference::Dump got = reference::dump(real_), right = reference_->dump();
    if (got != right) differ(after, now, cost, got, right);
  }

  template <class T>
  [[noreturn]] void differ(const char* what, Time now, Cost cost, const T& got,
                           const T& right) const {
    throw std::runtime_error{std::string{what} + " under " + limit_.to_string() + " at " +
                             std::to_string(now.time_since_epoch().count()) + ", cost " +
                             std::to_string(cost) + "\n  got   " + testing::PrintToString(got) +
                             "\n  right " + testing::PrintToString(right) + "\n  state " +
                             testing::PrintToString(reference::dump(real_))};
  }

  Limit limit_;
  AnyState real_;
  std::unique_ptr<reference::Key> reference_;
};

// A limit like another one: some parts kept, some changed.
Limit related_limit(Random& random, const Kind& kind, const Limit& before) {
  const Limit other = random_limit(random, kind);
  LimitSpec spec = spec_of(kind, random.chance(50) ? before.tokens() : other.tokens(),
                           random.chance(50) ? before.period() : other.period());
  if (kind.bucket()) spec.burst = random.chance(50) ? before.burst() : other.burst();
  if (kind.algorithm == Algorithm::kSlidingWindow) spec.precision = other.precision();
  const auto limit = Limit::make(spec);
  return limit ? *limit : other;
}

class Walk {
 public:
  Walk(Random& random, const Kind& kind)
      : random_{random}, kind_{kind}, pair_{random_limit(random, kind)} {
    now_ = random.chance(20) ? random.log_between(0, std::int64_t{1} << 52)
                             : 1'700'000'000'000'000 + random.between(0, 1'000'000'000'000);
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      move();
      act();
    }
  }

 private:
  std::int64_t period() const { return pair_.limit().period().count(); }

  void move() {
    const std::int64_t to = random_.chance(6) ? stepped() : now_ + passed();
    now_ = std::clamp<std::int64_t>(to, 0, kEndOfTime.time_since_epoch().count());
  }

  // Time goes on by nothing, by a little, to an edge, to the end of a wait.
  std::int64_t passed() {
    switch (random_.between(0, 8)) {
      case 0:
        return 1;
      case 1:
        return random_.between(0, 2 * period());
      case 2:
        return random_.pick({period() - 1, period(), period() + 1, 2 * period() - 1});
      case 3:
        return period() - now_ % period() + random_.between(-1, 1);
      case 4:
        return wait_ + random_.between(-1, 1);
      case 5:
        return random_.log_between(0, period());
      default:
        return 0;
    }
  }

  // The clock steps, back to the very instant of a take as well.
  std::int64_t stepped() {
    if (!taken_.empty() && random_.chance(40))
      return random_.pick_from(taken_).time_since_epoch().count();
    return now_ + random_.between(-3 * period(), 3 * period());
  }

  Cost any_cost() {
    const Cost capacity = pair_.limit().capacity();
    switch (random_.between(0, 7)) {
      case 0:
        return 0;
      case 1:
        return capacity;
      case 2:
        return capacity + 1;
      case 3:
        return random_.log_between(0, std::int64_t{1} << 62);
      case 4:
        return random_.between(0, capacity);
      case 5:
        return std::max<Cost>(0, capacity - 1);
      default:
        return 1;
    }
  }

  void act() {
    const int what = static_cast<int>(random_.between(0, 99));
    if (what < 6) {
      pair_.set_limit(related_limit(random_, kind_, pair_.limit()));
    } else if (what < 16) {
      give_back();
    } else if (what < 20) {
      pair_.repair(at_us(now_));
    } else {
      take();
    }
    look();
  }

  void take() {
    const Cost cost = any_cost();
    const Decision decision = pair_.take(at_us(now_), cost);
    const Duration wait = decision.allowed ? decision.reset_after : decision.retry_after;
    wait_ = wait == kNever ? 0 : wait.count();
    if (decision.allowed && cost > 0) taken_.push_back(decision.at);
  }

  void give_back() {
    const bool real_take = !taken_.empty() && random_.chance(80);
    const Time at =
        real_take
            ? random_.pick_from(taken_)
            : at_us(std::max<std::int64_t>(0, now_ + random_.between(-2 * period(), period())));
    pair_.give_back(at_us(now_), std::max<Cost>(1, any_cost()), at);
  }

  // Judgements at this and at other times, which change nothing.
  void look() {
    pair_.judge(at_us(now_), 0);
    pair_.judge(at_us(now_), any_cost());
    pair_.judge(at_us(now_ + random_.between(0, 2 * period())), any_cost());
    pair_.judge(at_us(std::max<std::int64_t>(0, now_ - random_.between(0, 2 * period()))), 1);
  }

  Random& random_;
  const Kind kind_;
  Pair pair_;
  std::int64_t now_;
  std::int64_t wait_ = 0;
  std::vector<Time> taken_;
};

class Reference : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(All, Reference, testing::ValuesIn(kKinds), name_of_param);

TEST_P(Reference, Decides_and_keeps_the_same) {
  for_each_trace(4000, [](Random& random) {
    Walk walk{random, GetParam()};
    walk.run(static_cast<int>(random.between(5, 120)));
  });
}

}  // namespace
}  // namespace tidegate::test
