// The counts of all event loops of a service, those that are gone too.
//
//   LoopSums<RespLoop, RespCounts> loops_;      // of a service
//   service.loops_.add(*this)                   // by a loop that is made, and `remove` when it
//   goes
//
// Thread safety: every member may be called from any thread. Cost of a sum: that of each loop's
// `counts`, and a lock.
#pragma once

#include <algorithm>
#include <vector>

#include "tidegate/base/spin_lock.h"
#include "tidegate/base/thread_annotations.h"

namespace tidegate::frontend {

template <class Loop, class Counts>
class LoopSums {
 public:
  void add(const Loop& loop) {
    const SpinGuard guard{lock_};
    loops_.push_back(&loop);
  }
  void remove(const Loop& loop) {
    const SpinGuard guard{lock_};
    std::erase(loops_, &loop);
    past_ += loop.counts();
  }
  Counts sum() const {
    const SpinGuard guard{lock_};
    Counts sum = past_;
    for (const Loop* const loop : loops_) sum += loop->counts();
    return sum;
  }

 private:
  mutable SpinLock lock_;
  std::vector<const Loop*> loops_ TIDEGATE_GUARDED_BY(lock_);
  Counts past_ TIDEGATE_GUARDED_BY(lock_){};  // of loops that are gone
};

}  // namespace tidegate::frontend
