#include "tidegate/store/failover.h"

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

Decision Failover::decide(const Take& take, Time now) const {
  const Decision fresh = judge(make_state(take.limit.algorithm()), take.limit, now, take.cost);
  const bool fits = fresh.retry_after != kNever;
  return fits && options_.on_store_error == OnStoreError::kDeny ? denied(take, now) : fresh;
}

void Failover::answer(TakeOp& op, const Error& why) const {
  if (options_.on_store_error == OnStoreError::kError) return fail(op, why);
  const Time now = clock_.now();
  Verdict& verdict = op.verdict;
  verdict.decisions.clear();
  for (const Take& take : op.takes) verdict.decisions.push_back(decide(take, now));
  verdict.allowed = admitted(op.takes, verdict.decisions);
  verdict.binding = binding_take(op.takes, verdict.decisions, verdict.allowed);
  verdict.degraded = true;
  op.error.reset();
  op.complete(op);
}

void Failover::answer(GiveBackOp& op, const Error& why) const {
  fail(op, why);
}

void Failover::answer(ResetOp& op, const Error& why) const {
  fail(op, why);
}

}  // namespace tidegate
