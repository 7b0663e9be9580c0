// A store that answers late: it holds operations back, decides and completes them in an order given
// by a seed.
//
//   DelayedStore late{memory, seed};
//   limiter_under_test.submit(...);      // nothing has been decided yet
//   late.run_all();                      // now it has, in some order, on this thread
//
// Each operation takes two steps, as over a network: it is decided by the store behind, and later
// it completes. What is submitted at one time may be decided in any order and complete in any
// other. The store behind must answer before its `submit` returns. What is still waiting at
// destruction is run then, so that every operation completes exactly once. Thread safety: every
// member may be called from any thread; operations complete on the thread that runs them. Cost: an
// allocation per operation.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "tidegate/store/store.h"

namespace tidegate::test {

class DelayedStore final : public Store {
 public:
  DelayedStore(Store& behind, std::uint64_t seed) : behind_{behind}, random_{seed} {}
  ~DelayedStore() override {
    stop_thread();
    run_all();
  }
  DelayedStore(const DelayedStore&) = delete;
  DelayedStore& operator=(const DelayedStore&) = delete;

  void submit(TakeOp& op) override { hold(op); }
  void submit(GiveBackOp& op) override { hold(op); }
  void submit(ResetOp& op) override { hold(op); }

  // Moves one operation one step on; false when none waits.
  bool run_one() {
    std::unique_ptr<Held> held = draw();
    if (held == nullptr) return false;
    if (held->decided) {
      held->complete();  // which may submit again
    } else {
      held->decide(behind_);
      put_back(std::move(held));
    }
    return true;
  }

  // Completes all that wait and all that they submit; returns how many steps that took.
  std::size_t run_all() {
    std::size_t steps = 0;
    while (run_one()) ++steps;
    return steps;
  }

  std::size_t waiting() const {
    const std::lock_guard lock{mutex_};
    return waiting_.size();
  }

  // From now on a thread of the store's own runs what is submitted.
  void start_thread() {
    thread_ = std::jthread{[this](const std::stop_token& stop) {
      while (wait_for_work(stop)) run_one();
    }};
  }

  void stop_thread() { thread_ = {}; }

 private:
  // An operation in the store's hands: a copy is decided, and its answer handed over at the end.
  struct Held {
    virtual ~Held() = default;
    virtual void decide(Store& behind) = 0;
    virtual void complete() = 0;
    bool decided = false;
  };

  template <class Op>
  struct HeldOp final : Held {
    explicit HeldOp(Op& op) : answer{op}, caller{op} {
      answer.held = this;
      answer.complete = [](Op& done) { static_cast<Answer&>(done).held->decided = true; };
    }
    void decide(Store& behind) override { behind.submit(static_cast<Op&>(answer)); }
    void complete() override {
      auto* const complete = caller.complete;
      answer.complete = complete;
      caller = static_cast<Op&&>(answer);
      complete(caller);
    }

    struct Answer : Op {
      explicit Answer(const Op& op) : Op{op} {}
      HeldOp* held = nullptr;
    };
    Answer answer;
    Op& caller;
  };

  template <class Op>
  void hold(Op& op) {
    put_back(std::make_unique<HeldOp<Op>>(op));
  }

  void put_back(std::unique_ptr<Held> held) {
    {
      const std::lock_guard lock{mutex_};
      waiting_.push_back(std::move(held));
    }
    work_.notify_one();
  }

  std::unique_ptr<Held> draw() {
    const std::lock_guard lock{mutex_};
    if (waiting_.empty()) return nullptr;
    std::swap(waiting_[random_() % waiting_.size()], waiting_.back());
    std::unique_ptr<Held> drawn = std::move(waiting_.back());
    waiting_.pop_back();
    return drawn;
  }

  bool wait_for_work(const std::stop_token& stop) {
    std::unique_lock lock{mutex_};
    return work_.wait(lock, stop, [this] { return !waiting_.empty(); });
  }

  Store& behind_;
  mutable std::mutex mutex_;
  std::condition_variable_any work_;
  std::mt19937_64 random_;
  std::vector<std::unique_ptr<Held>> waiting_;
  std::jthread thread_;
};

}  // namespace tidegate::test
