// How a request is answered when its store cannot: it is away, too late, or unable to write.
//
//   Failover failover{{.on_store_error = OnStoreError::kDeny}, clock};
//   failover.answer(op, {"redis://10.1.2.3:6379", "no answer within 10 ms"});   // completes it
//
// The one place that knows. A verdict given here is `degraded`. What cannot be decided without the
// store (a give back, a reset) is an error. Thread safety: const members may be called from any
// thread, if the local store may. Cost: a judgement of a fresh state for each take, without
// allocation; takes that are decided locally cost a request to that store.
#pragma once

#include <cstdint>

#include "tidegate/base/clock.h"
#include "tidegate/base/expected.h"
#include "tidegate/store/store.h"

namespace tidegate {

struct FailoverOptions {
  OnStoreError on_store_error = OnStoreError::kAllow;  // of takes that leave it to the store
  Store* local = nullptr;  // decides for kLocal, and at once; without one it is as kAllow
};

class Failover {
 public:
  // Denials by policy say to come back after so long.
  static constexpr Duration kRetryAfter{std::chrono::seconds{1}};

  Failover(const FailoverOptions& options, const Clock& clock) : options_{options}, clock_{clock} {}

  void answer(TakeOp& op, const Error& why) const;
  void answer(GiveBackOp& op, const Error& why) const;
  void answer(ResetOp& op, const Error& why) const;

 private:
  OnStoreError policy(const Take& take) const;
  bool any(const TakeOp& op, OnStoreError policy) const;
  Decision decide(const Take& take, Time now) const;
  void decide_locally(TakeOp& op) const;

  const FailoverOptions options_;
  const Clock& clock_;
};

}  // namespace tidegate
