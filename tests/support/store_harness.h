// A store under test: the store, its clock, and calls that wait for its answers.
//
//   StoreHarness harness: what a store brings to the conformance suite (conformance.h).
//   Asker ask{harness};
//   ask.take("k", "5/min"_limit).allowed
//
// Thread safety: none; one thread asks. Cost: as the store.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tidegate/base/time.h"
#include "tidegate/store/store.h"

namespace tidegate::test {

// What a store brings along to be tested.
class StoreHarness {
 public:
  virtual ~StoreHarness() = default;
  virtual Store& store() = 0;
  // Sets the time that the store will read next; it may go back.
  virtual void set_now(Time now) = 0;
  // The finest step of time that the store tells apart.
  virtual Duration tick() const { return Duration{1}; }
  // Makes what has been submitted complete. Nothing to do where `submit` completes it.
  virtual void run() {}
};

struct StoreCase {
  std::string name;
  std::function<std::unique_ptr<StoreHarness>()> make;
};

inline void PrintTo(const StoreCase& store, std::ostream* out) {
  *out << store.name;
}

// An operation that counts how often it completes.
template <class Op>
struct Counted : Op {
  explicit Counted(Op op) : Op{std::move(op)} {
    this->complete = [](Op& done) { ++static_cast<Counted&>(done).completions; };
  }
  int completions = 0;
};

template <class Op>
void submit_to(StoreHarness& harness, Counted<Op>& op) {
  harness.store().submit(static_cast<Op&>(op));
  harness.run();
}

struct Request {
  Charge charge = Charge::kAllOrNothing;
  bool check_only = false;
};

class Asker {
 public:
  explicit Asker(StoreHarness& harness) : harness_{harness} {}

  Expected<Verdict> request(const std::vector<Take>& takes, Request how = {}) {
    Counted<TakeOp> op{{.takes = takes, .charge = how.charge, .check_only = how.check_only}};
    if (auto failed = finish(op)) return tl::unexpected{*failed};
    EXPECT_EQ(op.verdict.decisions.size(), takes.size());
    return op.verdict;
  }

  Decision take(std::string_view key, const Limit& limit, Cost cost = 1) {
    return only_decision({{.key = key, .limit = limit, .cost = cost}}, {});
  }

  Decision check(std::string_view key, const Limit& limit, Cost cost = 1) {
    return only_decision({{.key = key, .limit = limit, .cost = cost}}, {.check_only = true});
  }

  std::uint32_t remaining(std::string_view key, const Limit& limit) {
    return check(key, limit, 0).remaining;
  }

  std::optional<Error> give_back(std::string_view key, const Limit& limit, Cost cost,
                                 std::optional<Time> at) {
    Counted<GiveBackOp> op{{.key = key, .limit = limit, .cost = cost, .at = at}};
    return finish(op);
  }

  std::optional<Error> reset(std::string_view key) {
    Counted<ResetOp> op{{.key = key}};
    return finish(op);
  }

 private:
  template <class Op>
  std::optional<Error> finish(Counted<Op>& op) {
    submit_to(harness_, op);
    EXPECT_EQ(op.completions, 1);
    return op.error;
  }

  Decision only_decision(const std::vector<Take>& takes, Request how) {
    const Expected<Verdict> verdict = request(takes, how);
    if (!verdict) {
      ADD_FAILURE() << verdict.error().message();
      return {};
    }
    EXPECT_EQ(verdict->allowed, verdict->decisions.front().allowed);
    EXPECT_EQ(verdict->binding, 0U);
    EXPECT_FALSE(verdict->degraded);
    return verdict->decisions.front();
  }

  StoreHarness& harness_;
};

}  // namespace tidegate::test
