// The memory store against the reference store: one trace, the same answers in every field.
//
// What may be forgotten may also be kept. Two references, one that keeps all and one that forgets
// all it may, bound what is right: where they agree the memory store must agree too, and where they
// do not, the keys are reset.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/store_print.h"
#include "tests/support/store_reference.h"
#include "tidegate/base/clock.h"
#include "tidegate/store/memory/memory_store.h"

namespace tidegate::test {
namespace {

const std::array<std::string, 5> kKeys{"a", "b", "c", std::string{"\0", 1}, ""};

template <class Op>
Op answered(Store& store, Op op) {
  op.complete = [](Op&) {};
  store.submit(op);
  return op;
}

class Differential {
 public:
  explicit Differential(Random& random)
      : random_{random},
        memory_{{.max_keys = random.pick<std::uint64_t>({0, 64, 1'000}),
                 .sweep_interval = Duration{random.pick<int>({1, 50, 1'000, 10'000'000})}},
                clock_} {
    for (std::size_t i = 0; i < limits_.size(); ++i) change_limit(i);
  }

  void step() {
    move_clock();
    const std::int64_t dice = random_.between(0, 99);
    if (dice < 50) {
      take_one();
    } else if (dice < 75) {
      request();
    } else if (dice < 87) {
      give_back();
    } else if (dice < 90) {
      reset(random_.pick_from(kKeys));
    } else if (dice < 95) {
      memory_.sweep(static_cast<std::size_t>(random_.between(1, 1'100)));
      eager_.sweep();
    } else {
      change_limit(static_cast<std::size_t>(random_.between(0, 3)));
    }
    EXPECT_LE(memory_.counters().keys, lazy_.keys());
  }

  std::uint64_t compared() const { return compared_; }
  std::uint64_t ambiguous() const { return ambiguous_; }

 private:
  void move_clock() {
    const Duration period = random_.pick_from(limits_).period();
    if (random_.chance(40)) clock_.advance(Duration{random_.between(0, 3)});
    if (random_.chance(20)) clock_.advance(Duration{random_.between(0, 2 * period.count())});
    if (random_.chance(2)) clock_.advance(-Duration{random_.between(0, 3 * period.count())});
    if (random_.chance(10) && last_wait_ != kNever) clock_.advance(last_wait_);
  }

  void change_limit(std::size_t algorithm) {
    const auto kind = static_cast<Algorithm>(algorithm);
    LimitSpec spec{.tokens = static_cast<std::uint64_t>(random_.between(0, 12)),
                   .period = Duration{random_.pick<int>({1, 2, 7, 16, 60, 1'000, 1'000'000})},
                   .algorithm = kind};
    if (kind == Algorithm::kSlidingWindow && random_.chance(40))
      spec.precision = static_cast<std::uint64_t>(random_.between(1, 5));
    if (kind == Algorithm::kTokenBucket) {
      spec.burst = static_cast<std::uint64_t>(random_.between(1, 15));
      spec.refill = random_.chance(50) ? Refill::kInterval : Refill::kContinuous;
    }
    limits_[algorithm] = Limit::make(spec).value();
  }

  Take some_take(Role role = Role::kBinding) {
    const Limit& limit = random_.pick_from(limits_);
    const Cost cost = random_.pick<Cost>({0, 1, 1, 1, 2, 3, random_.between(0, limit.capacity()),
                                          limit.capacity() + 1, limit.capacity()});
    return {.key = random_.pick_from(kKeys), .limit = limit, .cost = cost, .role = role};
  }

  // Answers of both references; nullopt, after a reset of the keys, when they do not agree.
  std::optional<Verdict> expected(const TakeOp& op) {
    const Verdict lazy = answered<TakeOp>(lazy_, op).verdict;
    if (lazy == answered<TakeOp>(eager_, op).verdict) return ++compared_, lazy;
    ++ambiguous_;
    return std::nullopt;
  }

  void take_one() {
    const Take take = some_take();
    const TakeOp op{.takes = {&take, 1}, .check_only = random_.chance(25)};
    const std::optional<Verdict> wanted = expected(op);
    const Decision got = op.check_only ? memory_.check(take.key, take.limit, take.cost)
                                       : memory_.take(take.key, take.limit, take.cost);
    if (!wanted) return reset(take.key);
    const Decision& decision = wanted->decisions[0];
    EXPECT_EQ(got, decision) << take.limit.to_string() << " cost " << take.cost;
    last_wait_ = decision.allowed ? decision.reset_after : decision.retry_after;
    if (decision.allowed && !op.check_only) taken_ = {take, decision.at};
  }

  void request() {
    std::vector<Take> takes;
    for (std::int64_t i = random_.between(1, 6); i > 0; --i)
      takes.push_back(
          some_take(random_.pick({Role::kBinding, Role::kBinding, Role::kShadow, Role::kQuota})));
    const TakeOp op{.takes = takes,
                    .charge = random_.chance(30) ? Charge::kEach : Charge::kAllOrNothing,
                    .check_only = random_.chance(15)};
    const std::optional<Verdict> wanted = expected(op);
    const Verdict got = answered<TakeOp>(memory_, op).verdict;
    if (wanted) {
      EXPECT_EQ(got, *wanted);
    } else {
      for (const Take& take : takes) reset(take.key);
    }
  }

  void give_back() {
    const auto& [take, at] = taken_;
    const Cost cost = random_.between(0, 4);
    const std::optional<Time> when = time_to_give_back(at);
    for (Store* store : all())
      answered<GiveBackOp>(*store,
                           {.key = take.key, .limit = take.limit, .cost = cost, .at = when});
  }

  std::optional<Time> time_to_give_back(Time taken) {
    if (random_.chance(30)) return std::nullopt;
    return random_.chance(15) ? clock_.now() - Duration{random_.between(-5, 50)} : taken;
  }

  void reset(std::string_view key) {
    for (Store* store : all()) answered<ResetOp>(*store, {.key = key});
  }

  std::array<Store*, 3> all() { return {&memory_, &lazy_, &eager_}; }

  struct Taken {
    Take take{.key = "a", .limit = "1/s"_limit};
    Time at{};
  };

  Random& random_;
  ManualClock clock_;
  MemoryStore memory_;
  ReferenceStore lazy_{clock_, Forgetting::kLazy};
  ReferenceStore eager_{clock_, Forgetting::kEager};
  std::array<Limit, kAlgorithms> limits_{"1/s"_limit, "1/s"_limit, "1/s"_limit, "1/s"_limit};
  Taken taken_;
  Duration last_wait_{0};
  std::uint64_t compared_ = 0;
  std::uint64_t ambiguous_ = 0;
};

TEST(MemoryStore, Answers_as_the_reference_on_random_traces) {
  std::uint64_t compared = 0;
  std::uint64_t ambiguous = 0;
  for_each_trace(1'000, [&](Random& random) {
    Differential differential{random};
    for (int i = 0; i < 200 && !::testing::Test::HasFailure(); ++i) differential.step();
    compared += differential.compared();
    ambiguous += differential.ambiguous();
  });
  EXPECT_GT(compared, 10 * ambiguous) << "too little was compared";
}

}  // namespace
}  // namespace tidegate::test
