// Time for threads that sleep: it stands still while any of them runs, and moves on to the earliest
// wake when all of them sleep. What they do takes no time, so waits come out exact.
//
//   VirtualClock clock{3};                       // three threads take part
//   clock.sleep_until(t);  ...  clock.leave();   // each, at its end
//
// Thread safety: every member may be called from any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "tidegate/base/clock.h"

namespace tidegate::test {

class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(std::size_t threads) : threads_{threads} {}

  Time now() const override { return now_; }

  void sleep_until(Time when) const override {
    std::unique_lock lock{mutex_};
    if (when <= now_.load()) return;
    wakes_.insert(when);
    move_on();
    woken_.wait(lock, [&] { return now_.load() >= when; });
  }

  void leave() {
    const std::lock_guard lock{mutex_};
    --threads_;
    move_on();
  }

 private:
  // Those who wake leave the set here, so that time stands still until they sleep again.
  void move_on() const {
    if (wakes_.empty() || wakes_.size() < threads_) return;
    now_ = *wakes_.begin();
    wakes_.erase(wakes_.begin(), wakes_.upper_bound(now_));
    woken_.notify_all();
  }

  mutable std::mutex mutex_;
  mutable std::condition_variable woken_;
  mutable std::multiset<Time> wakes_;
  mutable std::atomic<Time> now_{Time{std::chrono::seconds{1'700'000'000}}};
  std::size_t threads_;
};

// Runs a body in so many threads of a clock's.
inline void run_threads(VirtualClock& clock, int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t)
    threads.emplace_back([&, t] {
      body(t);
      clock.leave();
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace tidegate::test
