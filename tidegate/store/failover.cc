#include "tidegate/store/failover.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "tidegate/algorithm/algorithm.h"
#include "tidegate/store/settle.h"

namespace tidegate {
namespace {

template <class Op>
void fail(Op& op, const Error& why) {
  op.error = why;
  op.complete(op);
}

Decision denied(const Take& take, Time now) {
  return {.at = now,
          .retry_after = Failover::kRetryAfter,
          .reset_after = Failover::kRetryAfter,
          .capacity = take.limit.capacity(),
          .remaining = 0,
          .allowed = false};
}

}  // namespace

OnStoreError Failover::policy(const Take& take) const {
  const OnStoreError policy = take.on_store_error == OnStoreError::kStoresChoice
                                  ? options_.on_store_error
                                  : take.on_store_error;
  return policy == OnStoreError::kLocal && options_.local == nullptr ? OnStoreError::kAllow
                                                                     : policy;
}

bool Failover::any(const TakeOp& op, OnStoreError wanted) const {
  return std::any_of(op.takes.begin(), op.takes.end(),
                     [&](const Take& take) { return policy(take) == wanted; });
}

Decision Failover::decide(const Take& take, Time now) const {
  const Decision fresh = judge(make_state(take.limit.algorithm()), take.limit, now, take.cost);
  const bool fits = fresh.retry_after != kNever;
  return fits && policy(take) == OnStoreError::kDeny ? denied(take, now) : fresh;
}

// Puts in place what the local store decides, which charges nothing if others deny already.
void Failover::decide_locally(TakeOp& op) const {
  std::vector<Take> takes;
  std::copy_if(op.takes.begin(), op.takes.end(), std::back_inserter(takes),
               [&](const Take& take) { return policy(take) == OnStoreError::kLocal; });
  const bool lost = op.charge == Charge::kAllOrNothing && !admitted(op.takes, op.verdict.decisions);
  TakeOp here{.takes = takes, .charge = op.charge, .check_only = op.check_only || lost};
  options_.local->submit(here);
  op.error = here.error;
  if (op.error) return;
  auto decision = here.verdict.decisions.begin();
  for (std::size_t i = 0; i < op.takes.size(); ++i)
    if (policy(op.takes[i]) == OnStoreError::kLocal) op.verdict.decisions[i] = *decision++;
}

void Failover::answer(TakeOp& op, const Error& why) const {
  if (any(op, OnStoreError::kError)) return fail(op, why);
  const Time now = clock_.now();
  Verdict& verdict = op.verdict;
  verdict.decisions.clear();
  op.error.reset();
  for (const Take& take : op.takes) verdict.decisions.push_back(decide(take, now));
  if (any(op, OnStoreError::kLocal)) decide_locally(op);
  verdict.allowed = admitted(op.takes, verdict.decisions);
  verdict.binding = binding_take(op.takes, verdict.decisions, verdict.allowed);
  verdict.degraded = true;
  op.complete(op);
}

void Failover::answer(GiveBackOp& op, const Error& why) const {
  fail(op, why);
}

void Failover::answer(ResetOp& op, const Error& why) const {
  fail(op, why);
}

}  // namespace tidegate
