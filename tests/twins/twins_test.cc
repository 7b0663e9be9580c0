// The twins against the functions they mirror: random traces, every field of every decision.
//
// The reference store calls the C++ functions; the script decides the same trace in a Redis. One
// batch in a hundred goes call by call, as a store would ask.
#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/limits.h"
#include "tests/support/random.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_print.h"
#include "tests/support/store_reference.h"
#include "tests/twins/calls.h"
#include "tests/twins/trace.h"
#include "tidegate/base/clock.h"

namespace tidegate::test {
namespace {

constexpr int kKeys = 500;
constexpr int kSteps = 10'000;  // of one trace
constexpr int kBatch = 1'000;
constexpr std::size_t kBatchesUntilRealPath = 100;

Duration some_period(Random& random) {
  constexpr std::int64_t kYear = std::int64_t{365} * 24 * 3'600 * 1'000'000;
  return Duration{random.chance(50) ? random.log_between(1, kYear)
                                    : random.pick<std::int64_t>(
                                          {1, 7, 1'000, 1'000'000, 60'000'000, 86'400'000'000})};
}

// Limits that people write, with the same period as before or another.
Limit small_limit(Random& random, const Kind& kind, Duration period) {
  for (;;) {
    LimitSpec spec =
        spec_of(kind, static_cast<std::uint64_t>(random.log_between(0, 2'000)), period);
    if (kind.algorithm == Algorithm::kSlidingWindow && random.chance(50))
      spec.precision = static_cast<std::uint64_t>(random.log_between(1, 64));
    if (kind.bucket() && random.chance(70))
      spec.burst = static_cast<std::uint64_t>(random.log_between(0, 3'000));
    if (const auto limit = Limit::make(spec)) return *limit;
  }
}

// What one step asked, and what the reference store said.
struct Step {
  Call call;
  std::vector<Take> takes;  // none: the answer is not compared
  std::vector<std::string> keys;
  Verdict expected;
};

class Trace {
 public:
  Trace(Random& random, std::vector<Kind> kinds) : random_{random}, kinds_{std::move(kinds)} {
    const Duration period = some_period(random);
    for (int i = 0; i < 8; ++i) {
      const Kind kind = random_.pick_from(kinds_);
      limits_.push_back(i < 3   ? small_limit(random, kind, period)
                        : i < 6 ? small_limit(random, kind, some_period(random))
                                : random_limit(random, kind));
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
  struct Taken {
    std::string key;
    Limit limit;
    Cost cost;
    Time at;
  };

  void move_clock() {
    const Duration period = random_.pick_from(limits_).period();
    const std::int64_t dice = random_.between(0, 99);
    if (dice < 50) clock_.advance(Duration{random_.between(0, 3)});
    if (dice >= 50 && dice < 75) clock_.advance(Duration{random_.between(0, period.count() / 8)});
    if (dice >= 75 && dice < 80) clock_.advance(Duration{random_.between(0, 2 * period.count())});
    if (dice >= 80 && dice < 88 && last_wait_ != kNever)
      clock_.advance(last_wait_ - Duration{random_.between(0, 1)});
    if (dice == 88) clock_.advance(-Duration{random_.between(0, 3 * period.count())});
    if (dice == 89) clock_.advance(-Duration{random_.between(0, 100)});
    if (random_.chance(1) && random_.chance(5)) clock_.set(some_time());
  }

  // Within the years that anybody lives to see, and not so late that a wait ends beyond 2255.
  Time some_time() {
    return Time{Duration{random_.between(0, kEndOfTime.time_since_epoch().count() / 2)}};
  }

  // A few keys get most.
  std::string some_key() {
    const std::int64_t dice = random_.between(0, 99);
    const std::int64_t keys = dice < 30 ? 1 : dice < 60 ? 5 : kKeys;
    return "key " + std::to_string(random_.between(1, keys));
  }

  // A key stays with its limit most of the time.
  const Limit& limit_for(const std::string& key) {
    return random_.chance(85) ? limits_[key.back() % limits_.size()] : random_.pick_from(limits_);
  }

  Cost some_cost(const Limit& limit) {
    const Cost capacity = limit.capacity();
    return random_.pick<Cost>({0, 1, 1, 1, 1, 1, 2, 3, capacity / 10, random_.between(0, capacity),
                               capacity, capacity + 1, random_.log_between(0, Cost{1} << 62)});
  }

  Step take() {
    Step step;
    const std::int64_t count = random_.chance(85) ? 1 : random_.between(2, 6);
    for (std::int64_t i = 0; i < count; ++i) step.keys.push_back(some_key());
    for (const std::string& key : step.keys) {
      const Limit& limit = limit_for(key);
      step.takes.push_back({.key = key, .limit = limit, .cost = some_cost(limit), .role = role()});
    }
    TakeOp op{.takes = step.takes,
              .charge = random_.chance(20) ? Charge::kEach : Charge::kAllOrNothing,
              .check_only = random_.chance(15)};
    op.complete = [](TakeOp&) {};
    reference_.submit(op);
    if (op.error) return take();  // two limits on one key
    remember(op);
    step.call = call_of(op, clock_.now());
    step.expected = std::move(op.verdict);
    return step;
  }

  Role role() {
    return random_.pick({Role::kBinding, Role::kBinding, Role::kShadow, Role::kQuota});
  }

  void remember(const TakeOp& op) {
    const Decision& decision = op.verdict.bound();
    last_wait_ = decision.allowed ? decision.reset_after : decision.retry_after;
    if (!op.verdict.allowed || op.check_only) return;
    const Take& take = op.takes[op.verdict.binding];
    taken_.push_back({std::string{take.key}, take.limit, take.cost, decision.at});
    if (taken_.size() > 50) taken_.pop_front();
  }

  Step give_back() {
    const Taken& taken = random_.pick_from(taken_);
    GiveBackOp op{.key = taken.key, .limit = taken.limit, .cost = taken.cost, .at = taken.at};
    if (random_.chance(20)) op.at = std::nullopt;
    if (random_.chance(10)) op.at = clock_.now() - Duration{random_.between(-5, 50)};
    if (random_.chance(20)) op.cost = random_.log_between(0, Cost{1} << 40);
    op.complete = [](GiveBackOp&) {};
    reference_.submit(op);
    return {.call = call_of(op, clock_.now()), .takes = {}, .keys = {}, .expected = {}};
  }

  Step reset() {
    const std::string key = some_key();
    ResetOp op{.key = key};
    op.complete = [](ResetOp&) {};
    reference_.submit(op);
    return {.call = call_to_reset(key), .takes = {}, .keys = {}, .expected = {}};
  }

  Random& random_;
  const std::vector<Kind> kinds_;
  std::vector<Limit> limits_;
  ManualClock clock_;
  ReferenceStore reference_{clock_};
  std::deque<Taken> taken_;
  Duration last_wait_{0};
};

class Twins : public ::testing::Test {
 protected:
  void expect_equal_answers(const std::vector<Kind>& kinds) {
    for_each_trace(1, [&](Random& random) {
      redis_.ask({"FLUSHALL"});
      Trace trace{random, kinds};
      for (int done = 0; done < kSteps && !HasFailure(); done += kBatch) {
        std::vector<Step> steps;
        for (int i = 0; i < kBatch; ++i) steps.push_back(trace.next());
        compare(steps, done);
      }
    });
    EXPECT_GT(decisions_, std::uint64_t{kSteps} / 2);
  }

 private:
  std::vector<RedisReply> answers_to(const std::vector<Step>& steps) {
    std::vector<Call> calls;
    for (const Step& step : steps) calls.push_back(step.call);
    if (++batches_ % kBatchesUntilRealPath != 5) return driver_.run(calls);
    std::vector<RedisReply> replies;
    for (const Call& call : calls) replies.push_back(script_.run(call));
    return replies;
  }

  void compare(const std::vector<Step>& steps, int done) {
    const std::vector<RedisReply> replies = answers_to(steps);
    ASSERT_EQ(replies.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      if (step.takes.empty()) continue;
      decisions_ += step.takes.size();
      ASSERT_EQ(verdict_of(replies[i], step.takes), step.expected)
          << "step " << static_cast<std::size_t>(done) + i << ": " << told(step);
    }
  }

  static std::string told(const Step& step) {
    std::string text;
    for (const std::string& word : step.call.keys) text += '"' + word + "\" ";
    for (const std::string& word : step.call.arguments) text += word + ' ';
    return text;
  }

  RedisServer redis_;
  Script script_{redis_};
  TraceDriver driver_{redis_};
  std::size_t batches_ = 0;
  std::uint64_t decisions_ = 0;
};

class TwinOf : public Twins, public ::testing::WithParamInterface<Kind> {};

TEST_P(TwinOf, Answers_every_call_as_the_algorithm_does) {
  expect_equal_answers({GetParam()});
}

INSTANTIATE_TEST_SUITE_P(Every, TwinOf, ::testing::ValuesIn(kKinds), name_of_param);

TEST_F(Twins, Answer_requests_over_all_algorithms_as_the_reference_store_does) {
  expect_equal_answers({std::begin(kKinds), std::end(kKinds)});
}

}  // namespace
}  // namespace tidegate::test
