// The laws that every algorithm keeps, on random traces:
//
//   - never more than promised in any window of one period, in true time, however the clock steps
//   back
//   - denied until exactly retry_after, admitted at it and later; reset_after is as exact
//   - remaining is the largest cost that would be admitted
//   - a denial and a peek change nothing, but for the repair after a step of the clock
//   - sliding_window is the naive log of every hit; above its precision late by less than one slot
//   - a changed limit keeps what was used; what is given back comes back at most once
//
// A trace lives in one of five modes: in kPlain time only goes on, each other adds one trouble, and
// kMixed adds them all.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/limits.h"
#include "tests/support/random.h"
#include "tests/support/reference.h"

namespace tidegate::test {
namespace {

enum class Mode { kPlain, kStepsBack, kLimitChanges, kGivesBack, kMixed };

// How often each law was put to the test: a law that never was would pass unseen.
using Tally = std::map<std::string, std::int64_t>;

std::int64_t us(Time t) {
  return t.time_since_epoch().count();
}

// A limit of the sizes at which edges and ties are common.
LimitSpec small_spec(Random& random, const Kind& kind) {
  const std::int64_t period = random.pick<std::int64_t>(
      {1, 2, 3, 5, 7, 10, 16, 60, 100, 999, 1000, 1'000'000, 86'400'000'000});
  const std::uint64_t tokens = random.chance(95)
                                   ? random.pick<std::uint64_t>({0, 1, 1, 2, 3, 5, 7, 10, 16, 30})
                                   : random.pick<std::uint64_t>({1000, kMaxTokens});
  return spec_of(kind, tokens, Duration{period});
}

std::uint64_t small_burst(Random& random, std::uint64_t tokens) {
  const std::uint64_t whole = std::max<std::uint64_t>(1, tokens);
  return std::max<std::uint64_t>(1, random.pick<std::uint64_t>({whole, whole, 1, 2, 5, 20}));
}

Limit small_limit(Random& random, const Kind& kind) {
  for (;;) {
    LimitSpec spec = small_spec(random, kind);
    if (kind.bucket()) spec.burst = small_burst(random, spec.tokens);
    if (kind.algorithm == Algorithm::kSlidingWindow) {
      spec.precision = random.pick<std::uint64_t>({1, 2, 3, 5, 8, 1024, 1024});
      if (spec.tokens > 1024) spec.precision = std::min<std::uint64_t>(spec.precision, 8);
    }
    if (const auto limit = Limit::make(spec)) return *limit;
  }
}

// Another limit for a live key: often with the same period or the same tokens.
Limit changed_limit(Random& random, const Kind& kind, const Limit& before) {
  for (;;) {
    LimitSpec spec = small_spec(random, kind);
    const std::int64_t kept = random.between(0, 99);
    if (kept < 35) spec.period = before.period();
    if (kept >= 35 && kept < 60) spec.tokens = before.tokens();
    if (kind.bucket())
      spec.burst = random.chance(50) ? small_burst(random, spec.tokens) : before.burst();
    if (kind.algorithm == Algorithm::kSlidingWindow) {
      spec.precision =
          kept < 80 ? before.precision() : random.pick<std::uint64_t>({1, 2, 3, 5, 1024});
      if (spec.tokens > 1024) spec.precision = std::min<std::uint64_t>(spec.precision, 8);
    }
    if (const auto limit = Limit::make(spec)) return *limit;
  }
}

// An admitted take, less what was given back of it.
struct Taken {
  std::int64_t true_time;
  Cost cost;
  Time at;     // its decision's
  Time clock;  // what the clock said
};

Cost sum_since(const std::vector<Taken>& log, std::size_t first, std::int64_t after) {
  Cost sum = 0;
  for (std::size_t i = log.size(); i > first && log[i - 1].true_time > after; --i)
    sum += log[i - 1].cost;
  return sum;
}

bool ahead_of(const AnyState& state, Time now) {
  return std::visit(
      [now]<class S>(const S& s) {
        if constexpr (std::is_same_v<S, sliding_window::State>) {
          return !s.runs.empty() && s.runs.back().at > now;
        } else {
          return s.at > now;
        }
      },
      state);
}

std::size_t runs_of(const AnyState& state) {
  const auto* log = std::get_if<sliding_window::State>(&state);
  return log == nullptr ? 0 : log->runs.size();
}

class Trace {
 public:
  Trace(Random& random, const Kind& kind, Mode mode, Tally& tally)
      : random_{random},
        kind_{kind},
        mode_{mode},
        tally_{tally},
        limit_{small_limit(random, kind)},
        state_{make_state(kind.algorithm)},
        drops_{random.chance(30)} {
    constexpr std::int64_t kTwentyDays = std::int64_t{20} * 86'400'000'000;
    true_ = 1'000'000 * random.between(1, 999) + random.between(0, 999) +
            kTwentyDays * random.between(1, 2);
  }

  void run() {
    for (std::int64_t steps = random_.between(40, 259); steps > 0; --steps) {
      advance();
      if (has(Mode::kStepsBack) && random_.chance(6)) step_clock();
      if (has(Mode::kLimitChanges) && random_.chance(8)) change_limit();
      if (has(Mode::kGivesBack) && random_.chance(20)) give_back_some();
      take_some();
    }
    if (promise_holds_throughout()) check_whole_log();
  }

 private:
  struct Outcome {
    Decision decision;
    AnyState state;
    bool repaired = false;
  };

  bool has(Mode trouble) const { return mode_ == trouble || mode_ == Mode::kMixed; }
  bool promise_holds_throughout() const { return !has(Mode::kLimitChanges); }
  Time now() const { return at_us(true_ + offset_); }
  Decision look(const AnyState& state, Time when, Cost cost) const {
    return judge(state, limit_, when, cost);
  }

  void require(bool holds, const char* law) const {
    if (!holds) broken(law);
  }
  [[noreturn]] void broken(const char* law) const {
    throw std::runtime_error{std::string{"broken: "} + law + "\n  limit " + limit_.to_string() +
                             ", clock " + std::to_string(us(now())) + ", true time " +
                             std::to_string(true_) + "\n  state before " +
                             testing::PrintToString(reference::dump(state_)) + "\n  cost " +
                             std::to_string(cost_) + ": " + testing::PrintToString(decision_)};
  }

  // Time goes on: not at all, a little, by about a period, to where the last answer pointed, to an
  // edge, or by anything.
  void advance() {
    const std::int64_t period = limit_.period().count();
    const std::int64_t k = random_.between(0, 99);
    std::int64_t by = 0;
    if (k >= 35 && k < 45) by = 1;
    if (k >= 45 && k < 60)
      by = random_.pick(
          {period - 1, period, period + 1, period / 2, 2 * period, 2 * period - 1, 5 * period + 3});
    if (k >= 60 && k < 75 && pointed_) by = *pointed_ + random_.between(-1, 1) - us(now());
    if (k >= 75 && k < 85) by = period - us(now()) % period + random_.between(-1, 1);
    if (k >= 85)
      by = random_.chance(50)
               ? random_.between(0, 2 * period + 1)
               : random_.between(0, period / std::max<std::int64_t>(1, limit_.tokens()) + 1);
    true_ += std::max<std::int64_t>(0, by);
  }

  void step_clock() {
    const std::int64_t period = limit_.period().count();
    const std::int64_t by =
        random_.pick({std::int64_t{1}, std::int64_t{2}, period / 2, period - 1, period, period + 1,
                      3 * period, 10 * period + 7, random_.between(1, 2 * period)});
    const bool forward = mode_ == Mode::kMixed && random_.chance(40);
    (forward ? stepped_forward_ : stepped_back_) = true;
    offset_ += forward ? by : -by;
    if (true_ + offset_ < 0) offset_ = 0;
    trusted_from_ = log_.size();
    ++tally_["clock stepped"];
  }

  void change_limit() {
    const Limit before = limit_;
    const Decision old = look(state_, now(), 0);
    limit_ = changed_limit(random_, kind_, before);
    decision_ = look(state_, now(), cost_ = 0);
    if (mode_ == Mode::kLimitChanges) check_kept(before, old, decision_);
    check_kept_when_just_hit(before, old, decision_);
    changed_from_ = trusted_from_ = log_.size();
    changed_ = true;
    ++tally_["limit changed"];
  }

  // What was used stays used.
  void check_kept(const Limit& before, const Decision& old, const Decision& fresh) {
    const std::int64_t tokens = limit_.tokens(), tokens_before = before.tokens();
    if (!kind_.bucket() && before.period() == limit_.period()) {
      const std::int64_t free = tokens - (tokens_before - old.remaining);
      require(old.allowed ? fresh.remaining == std::max<std::int64_t>(0, free)
                          : fresh.remaining <= std::max<std::int64_t>(0, tokens - tokens_before),
              "other tokens keep what was used");
      ++tally_["other tokens"];
    }
    if (kind_.bucket() && before.period() == limit_.period() && tokens == tokens_before &&
        tokens > 0)
      check_burst_change(before, old, fresh);
  }

  void check_burst_change(const Limit& before, const Decision& old, const Decision& fresh) {
    const auto& bucket = std::get<token_bucket::State>(state_);
    const auto debt_under = [&](const Limit& limit) {
      return token_bucket::read(bucket, limit, now()).debt.rounded_up();
    };
    if (limit_.burst() < before.burst())
      return require(fresh.remaining <= old.remaining, "a smaller burst gives nothing");
    if (debt_under(limit_) == debt_under(before))
      require(fresh.remaining == old.remaining + limit_.burst() - before.burst(),
              "a larger burst gives the difference");
    ++tally_["larger burst"];
  }

  // At the instant of the last hit nothing has drained or slid, whatever period and rate.
  void check_kept_when_just_hit(const Limit& before, const Decision& old, const Decision& fresh) {
    if (!old.allowed || before.tokens() == 0 || limit_.tokens() == 0) return;
    if (const auto* bucket = std::get_if<token_bucket::State>(&state_)) {
      if (bucket->at != now()) return;
      if (bucket->tokens() + (bucket->fraction > 0) > before.capacity()) return;
    } else if (const auto* counter = std::get_if<sliding_window_counter::State>(&state_)) {
      if (counter->at != now()) return;
    } else {
      return;
    }
    const std::int64_t used = std::int64_t{before.capacity()} - old.remaining;
    require(fresh.remaining == std::max<std::int64_t>(0, limit_.capacity() - used),
            "another period or rate keeps what was just used");
    ++tally_["rate changed at a hit"];
  }

  // A take from before a step of the clock or a change of the limit is not given back.
  void give_back_some() {
    if (log_.size() <= trusted_from_) return;
    const std::size_t oldest =
        std::max(trusted_from_, log_.size() - std::min<std::size_t>(12, log_.size()));
    Taken& taken = log_[static_cast<std::size_t>(random_.between(
        static_cast<std::int64_t>(oldest), static_cast<std::int64_t>(log_.size()) - 1))];
    if (taken.cost == 0) return;
    const Cost back = cost_ = random_.between(1, taken.cost);
    const Decision before = look(state_, now(), 0);
    give_back(state_, limit_, now(), back, taken.at);
    taken.cost -= back;
    decision_ = look(state_, now(), 0);
    require(before.remaining <= decision_.remaining && decision_.remaining <= limit_.capacity() &&
                decision_.remaining <= before.remaining + back,
            "what is given back comes back at most once");
    forget_naive(taken.at, back);
    ++tally_["gave back"];
  }

  void forget_naive(Time at, Cost back) {
    for (auto& [hit, cost] : naive_) {
      if (hit != at) continue;
      const Cost part = std::min(cost, back);
      cost -= part;
      back -= part;
    }
  }

  Cost any_cost() {
    const Cost capacity = limit_.capacity();
    return std::min(capacity + 1,
                    random_.pick<Cost>({0, 1, 1, 1, 1, 2, random_.between(0, capacity + 1),
                                        capacity, capacity + 1, std::max<Cost>(1, capacity - 1)}));
  }

  Outcome decide(Cost cost) const {
    Outcome out{look(state_, now(), cost), state_};
    if (cost == 0) return out;
    if (out.decision.allowed) {
      charge(out.state, limit_, now(), cost);
    } else {
      out.repaired = repair(out.state, limit_, now());
    }
    return out;
  }

  void take_some() {
    if (drops_) std::visit([this](auto& state) { drop_expired(state, limit_, now()); }, state_);
    cost_ = any_cost();
    const bool ahead = ahead_of(state_, now());
    const Outcome out = decide(cost_);
    decision_ = out.decision;
    ++tally_["decided"];
    if (decision_.allowed) {
      check_admitted();
    } else {
      check_denied(out, ahead);
    }
    check_remaining(out);
    if (limit_.capacity() > 0 && (cost_ > 0 || !ahead)) check_reset(out);
    if (kind_.algorithm == Algorithm::kSlidingWindow) check_against_naive_log(out);
    state_ = out.state;
    if (decision_.allowed && cost_ > 0) check_promise();
  }

  void check_admitted() {
    require(decision_.retry_after == Duration{0}, "an admitted take has nothing to wait for");
    if (cost_ == 0) return;
    log_.push_back({true_, cost_, decision_.at, now()});
    pointed_ = us(now() + decision_.reset_after);
  }

  void check_denied(const Outcome& out, bool ahead) {
    require(ahead || (out.state == state_ && !out.repaired), "a denial changes nothing");
    if (out.repaired) ++tally_["repaired"];
    require((decision_.retry_after == kNever) == (cost_ > limit_.capacity()),
            "never is for a cost above capacity");
    require(look(out.state, now(), 0).remaining == decision_.remaining,
            "a denial leaves what remained");
    if (decision_.retry_after != kNever && (cost_ > 0 || !ahead)) check_retry(out, ahead);
  }

  void check_retry(const Outcome& out, bool ahead) {
    const Duration wait = decision_.retry_after;
    const bool paused = kind_.aligned() && (ahead || stepped_back_ || stepped_forward_);
    require(wait >= Duration{1}, "a denied take has to wait");
    require(wait <= longest_wait(limit_) + (paused ? limit_.period() : Duration{0}),
            "no wait is longer than the algorithm's own");
    const Duration earlier{random_.between(0, wait.count() - 1)};
    const Duration later{random_.between(0, 3 * limit_.period().count() + 1)};
    require(!look(out.state, now() + wait - Duration{1}, cost_).allowed,
            "denied until retry_after");
    require(!look(out.state, now() + earlier, cost_).allowed, "denied all the time until then");
    require(look(out.state, now() + wait, cost_).allowed, "admitted at retry_after");
    require(look(out.state, now() + wait + later, cost_).allowed, "admitted after retry_after");
    pointed_ = us(now() + wait);
    ++tally_["denials probed"];
  }

  void check_remaining(const Outcome& out) {
    const Cost remaining = decision_.remaining;
    require(remaining <= limit_.capacity(), "no more remains than there can be");
    if (remaining > 0)
      require(look(out.state, now(), remaining).allowed, "what remains can be taken");
    require(!look(out.state, now(), remaining + 1).allowed, "no more than what remains can be");
  }

  void check_reset(const Outcome& out) {
    const Duration reset = decision_.reset_after;
    const Cost capacity = limit_.capacity();
    if (reset > Duration{0})
      require(look(out.state, now() + reset - Duration{1}, 0).remaining < capacity,
              "not full until reset_after");
    require(look(out.state, now() + reset, 0).remaining == capacity, "full at reset_after");
  }

  struct Naive {
    Cost used = 0;
    Duration retry{0};
    bool allowed = false;
  };

  // Every hit on its own, counted for exactly one period.
  Naive ask_naive_log() {
    while (!naive_.empty() && naive_.front().first <= now() - limit_.period()) naive_.pop_front();
    Naive naive;
    for (const auto& hit : naive_) naive.used += hit.second;
    Cost need = naive.used + cost_ - limit_.tokens();
    naive.allowed = need <= 0;
    for (auto hit = naive_.begin(); hit != naive_.end() && need > 0; ++hit) {
      need -= hit->second;
      naive.retry = hit->first + limit_.period() - now();
    }
    return naive;
  }

  void check_against_naive_log(const Outcome& out) {
    if (decision_.allowed && cost_ > 0)
      require(runs_of(out.state) <= limit_.precision() + std::size_t{1},
              "no more runs than precision + 1");
    if (has(Mode::kStepsBack)) return;
    const Naive naive = ask_naive_log();
    if (decision_.allowed) require(naive.allowed, "nothing is admitted that the log denies");
    if (!has(Mode::kLimitChanges)) {
      if (limit_.slot() == Duration{1}) {
        check_equals_naive_log(naive);
      } else {
        check_barely_late(naive);
      }
    }
    if (decision_.allowed && cost_ > 0) naive_.emplace_back(now(), cost_);
  }

  void check_equals_naive_log(const Naive& naive) {
    const Cost used = naive.used + (naive.allowed ? cost_ : 0);
    require(naive.allowed == decision_.allowed &&
                decision_.remaining == std::max<Cost>(0, limit_.tokens() - used),
            "exact up to precision");
    if (!naive.allowed && cost_ <= limit_.tokens())
      require(naive.retry == decision_.retry_after, "an exact wait up to precision");
    ++tally_["equal to the naive log"];
  }

  void check_barely_late(const Naive& naive) {
    if (decision_.allowed || decision_.retry_after == kNever) return;
    const Duration late = decision_.retry_after - naive.retry;
    require(Duration{0} <= late && late < limit_.slot(), "late by less than one slot");
    ++tally_["late by less than a slot"];
  }

  void check_promise() {
    const std::int64_t window = true_ - limit_.period().count();
    if (promise_holds_throughout())
      require(sum_since(log_, 0, window) <= promise(limit_), "never more than promised");
    if (changed_ && !stepped_forward_)
      require(sum_since(log_, changed_from_, window) <= promise(limit_),
              "never more than promised since the change");
    ++tally_["promise checked"];
  }

  // Once more at the end, without what was given back; and for a bucket over every interval: the
  // debt of a bucket that saw these takes never exceeds the burst.
  void check_whole_log() const {
    for (std::size_t i = 0; i < log_.size(); ++i) {
      Cost sum = 0;
      for (std::size_t j = i + 1; j > 0; --j) {
        if (log_[j - 1].true_time <= log_[i].true_time - limit_.period().count()) break;
        sum += log_[j - 1].cost;
      }
      require(sum <= promise(limit_), "never more than promised, at the end");
    }
    if (kind_.bucket() && !kind_.interval() && limit_.tokens() > 0) check_every_interval();
  }

  void check_every_interval() const {
    const reference::Int period = limit_.period().count();
    reference::Int debt = 0;
    std::int64_t last = 0;
    for (const Taken& taken : log_) {
      const reference::Int drained = reference::Int{taken.true_time - last} * limit_.tokens();
      debt = std::max<reference::Int>(0, debt - drained) + taken.cost * period;
      last = taken.true_time;
      require(debt <= limit_.burst() * period, "burst + rate x time over every interval");
    }
  }

  Random& random_;
  const Kind kind_;
  const Mode mode_;
  Tally& tally_;
  Limit limit_;
  AnyState state_;
  const bool drops_;  // whether what has expired is dropped at each step, as a store does

  std::int64_t true_ = 0;    // time as it really passes
  std::int64_t offset_ = 0;  // what the clock adds to it
  bool stepped_back_ = false;
  bool stepped_forward_ = false;
  bool changed_ = false;
  std::size_t trusted_from_ = 0;         // takes before this one are not given back
  std::size_t changed_from_ = 0;         // takes before this one were made under another limit
  std::optional<std::int64_t> pointed_;  // when the last answer said that something changes
  std::vector<Taken> log_;
  std::deque<std::pair<Time, Cost>> naive_;

  Cost cost_ = 0;  // what is being decided, for the message of a broken law
  Decision decision_;
};

class Laws : public testing::TestWithParam<std::tuple<Kind, Mode>> {
 protected:
  Tally run() {
    Tally tally;
    const auto [kind, mode] = GetParam();
    for_each_trace(kind.algorithm == Algorithm::kSlidingWindow ? 6000 : 3000,
                   [&, kind = kind, mode = mode](Random& random) {
                     Trace{random, kind, mode, tally}.run();
                   });
    return tally;
  }
};

std::string name_of(Mode mode) {
  constexpr const char* kNames[] = {"plain", "steps_back", "limit_changes", "gives_back", "mixed"};
  return kNames[static_cast<int>(mode)];
}

INSTANTIATE_TEST_SUITE_P(All, Laws,
                         testing::Combine(testing::ValuesIn(kKinds),
                                          testing::Values(Mode::kPlain, Mode::kStepsBack,
                                                          Mode::kLimitChanges, Mode::kGivesBack,
                                                          Mode::kMixed)),
                         [](const auto& info) {
                           return name_of(std::get<0>(info.param)) + "_" +
                                  name_of(std::get<1>(info.param));
                         });

// What no number of traces leaves out.
std::vector<const char*> laws_tested(const Kind& kind, Mode mode) {
  const auto has = [mode](Mode trouble) { return mode == trouble || mode == Mode::kMixed; };
  std::vector<const char*> laws{"denials probed", "promise checked"};
  if (has(Mode::kGivesBack)) laws.push_back("gave back");
  if (has(Mode::kLimitChanges)) laws.push_back("limit changed");
  if (has(Mode::kStepsBack)) laws.push_back("repaired");
  if (kind.algorithm == Algorithm::kSlidingWindow && mode == Mode::kPlain) {
    laws.push_back("equal to the naive log");
    laws.push_back("late by less than a slot");
  }
  return laws;
}

TEST_P(Laws, Hold_on_random_traces) {
  const auto [kind, mode] = GetParam();
  Tally tally = run();
  if (HasFailure() || number_of_traces(2000) < 100) return;
  for (const char* law : laws_tested(kind, mode)) EXPECT_GT(tally[law], 0) << law;
  for (const auto& [law, times] : tally) RecordProperty(law, std::to_string(times));
}

}  // namespace
}  // namespace tidegate::test
