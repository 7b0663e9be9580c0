// One limit and no key: `Bucket b{"100/s"_limit}; if (b.take().allowed) ...`
//
// Thread safety: every member may be called from any thread, under one lock. Cost: a clock read, a
// lock and the algorithm; no allocation but sliding_window's.
#pragma once

#include <mutex>

#include "tidegate/algorithm/algorithm.h"
#include "tidegate/base/clock.h"

namespace tidegate {

class Bucket {
 public:
  explicit Bucket(const Limit& limit, const Clock& clock = system_clock())
      : limit_{limit}, clock_{clock}, state_{make_state(limit.algorithm())} {}

  // Requires cost >= 0, here and below.
  Decision take(Cost cost = 1) {
    const std::lock_guard lock{mutex_};
    return tidegate::take(state_, limit_, clock_.now(), cost);
  }

  // What a take would get now. Changes nothing.
  Decision check(Cost cost = 1) const {
    const std::lock_guard lock{mutex_};
    return judge(state_, limit_, clock_.now(), cost);
  }

  // Undoes a take; `at` is that decision's.
  void give_back(Cost cost, Time at) {
    const std::lock_guard lock{mutex_};
    tidegate::give_back(state_, limit_, clock_.now(), cost, at);
  }

  void reset() {
    const std::lock_guard lock{mutex_};
    state_ = make_state(limit_.algorithm());
  }

  const Limit& limit() const { return limit_; }

 private:
  const Limit limit_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  AnyState state_;
};

}  // namespace tidegate
