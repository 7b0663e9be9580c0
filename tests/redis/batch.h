// Many takes at once: submitted together from a test's thread, each timed until it completes.
//
//   Batch batch{store, 200, "k", limit};  batch.wait();  batch.allowed()
//
// Thread safety: one thread waits; operations complete on the store's.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <string>

#include "tidegate/store/store.h"

namespace tidegate::test {

using SteadyTime = std::chrono::steady_clock::time_point;

struct TimedTake : TakeOp {
  std::string key;
  std::optional<Take> take;
  SteadyTime started{};
  SteadyTime ended{};
  std::atomic<int> completions{0};

  std::chrono::steady_clock::duration waited() const { return ended - started; }
};

class Batch {
 public:
  Batch(Store& store, int takes, const std::string& key, const Limit& limit) {
    for (int i = 0; i < takes; ++i) submit(store, key, limit);
  }

  void wait() const {
    for (const TimedTake& each : takes_) each.completions.wait(0);
    for (const TimedTake& each : takes_) EXPECT_EQ(each.completions.load(), 1);
  }

  template <class Predicate>
  int count(Predicate predicate) const {
    int count = 0;
    for (const TimedTake& each : takes_) count += predicate(each);
    return count;
  }
  int allowed() const {
    return count([](const TimedTake& each) { return !each.error && each.verdict.allowed; });
  }
  int degraded() const {
    return count([](const TimedTake& each) { return !each.error && each.verdict.degraded; });
  }
  int errors() const {
    return count([](const TimedTake& each) { return each.error.has_value(); });
  }
  std::chrono::milliseconds longest() const {
    std::chrono::steady_clock::duration longest{0};
    for (const TimedTake& each : takes_) longest = std::max(longest, each.waited());
    return std::chrono::ceil<std::chrono::milliseconds>(longest);
  }

 private:
  void submit(Store& store, const std::string& key, const Limit& limit) {
    TimedTake& op = takes_.emplace_back();
    op.key = key;
    op.take = Take{.key = op.key, .limit = limit};
    op.takes = {&*op.take, 1};
    op.complete = [](TakeOp& done) {
      auto& timed = static_cast<TimedTake&>(done);
      timed.ended = std::chrono::steady_clock::now();
      timed.completions.fetch_add(1);
      timed.completions.notify_all();
    };
    op.started = std::chrono::steady_clock::now();
    store.submit(static_cast<TakeOp&>(op));
  }

  std::deque<TimedTake> takes_;
};

}  // namespace tidegate::test
