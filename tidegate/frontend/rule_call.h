// A request of descriptors on its way: what it meets, and then what was decided.
//
//   RuleCall call{Protocol::kHttp, [](RuleCall& call) { ... call.allowed() ... }};
//   loop.ask(request, call);
//
// Owned by its caller, who keeps it where it is until it completes; then it may be asked with
// again, and keeps the memory it has grown. What it says points into rules that it keeps alive.
// Thread safety: none; it lives on one event loop.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "tidegate/algorithm/decision.h"
#include "tidegate/frontend/protocol.h"
#include "tidegate/rules/match.h"
#include "tidegate/store/store.h"

namespace tidegate::frontend {

class RuleLoop;
class RulesInUse;

class RuleCall : private TakeOp {
 public:
  using Complete = void (*)(RuleCall& call);

  RuleCall(Protocol by, Complete complete) : protocol{by}, done_{complete} {}
  RuleCall(const RuleCall&) = delete;
  RuleCall& operator=(const RuleCall&) = delete;

  const Protocol protocol;

  // When it is of no use any more, at the latest; what is later is answered without the store.
  Time give_up = kEndOfTime;

  // Once it is complete: why it was not decided, or what was.
  const std::optional<Error>& problem() const { return TakeOp::error; }
  bool allowed() const { return takes.empty() || verdict.allowed; }
  bool degraded() const { return !takes.empty() && verdict.degraded; }
  bool knows_domain() const { return match_.knows_domain(); }

  // As the request's descriptors.
  std::span<const rules::Met> descriptors() const { return match_.descriptors(); }
  // Of one that has a take; null for others.
  const Take* take(const rules::Met& met) const { return has(met) ? &takes[met.take] : nullptr; }
  const Decision* decision(const rules::Met& met) const {
    return has(met) ? &verdict.decisions[met.take] : nullptr;
  }
  // Whether it is over its limit, and not in shadow mode.
  bool over(const rules::Met& met) const {
    return has(met) && !decision(met)->allowed && takes[met.take].role != Role::kShadow;
  }
  // The decision that bound the whole; null when nothing limits the request.
  const Decision* bound() const { return takes.empty() ? nullptr : &verdict.bound(); }
  // Its take, which is that of the descriptor whose `Met::take` it is; requires that `bound` is
  // not null.
  std::size_t binding() const { return verdict.binding; }

 private:
  friend class RuleLoop;

  static bool has(const rules::Met& met) { return met.outcome == rules::Outcome::kTake; }

  rules::Match match_;
  std::shared_ptr<RulesInUse> in_use_;
  RuleLoop* loop_ = nullptr;
  Time asked_{};
  const Complete done_;
};

}  // namespace tidegate::frontend
