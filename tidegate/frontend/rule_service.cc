#include "tidegate/frontend/rule_service.h"

#include <algorithm>
#include <utility>

namespace tidegate::frontend {
namespace {

std::shared_ptr<const rules::RuleSet> no_rules() {
  return std::make_shared<const rules::RuleSet>(std::vector<rules::Domain>{},
                                                Algorithm::kSlidingWindow);
}

// Calls `each(rule)` for the rules and those below them.
template <class Each>
void for_each_rule(std::span<const rules::Rule> rules, Each&& each) {
  for (const rules::Rule& rule : rules) {
    each(rule);
    for_each_rule(std::span<const rules::Rule>{rule.rules}, each);
  }
}

template <class Each>
void for_each_rule(const rules::RuleSet& set, Each&& each) {
  for (const rules::Domain& domain : set.domains())
    for_each_rule(std::span<const rules::Rule>{domain.rules}, each);
}

Counted counted(const RuleCall& call, const Decision& decision, Role role) {
  if (call.degraded()) return Counted::kDegraded;
  if (decision.allowed) return Counted::kAllowed;
  return role == Role::kShadow ? Counted::kShadowDenied : Counted::kDenied;
}

}  // namespace

RestCounts& RestCounts::operator+=(const RestCounts& more) {
  unknown_domain += more.unknown_domain;
  without_limit += more.without_limit;
  brought_allowed += more.brought_allowed;
  brought_denied += more.brought_denied;
  errors += more.errors;
  return *this;
}

RulesInUse::RulesInUse(RuleService& service, std::shared_ptr<const rules::RuleSet> rules)
    : service_{service}, rules_{std::move(rules)}, tally_{rules_->size()} {
  service_.add(*this);
}

RulesInUse::~RulesInUse() {
  service_.remove(*this);
}

RuleService::RuleService(Store& store, const Clock& clock, RuleOptions options)
    : store_{store}, clock_{clock}, options_{std::move(options)} {
  use(no_rules());
}

void RuleService::use(std::shared_ptr<const rules::RuleSet> rules) {
  const std::lock_guard lock{mutex_};
  std::unordered_map<std::string, RuleCounts> kept;
  for_each_rule(*rules, [&](const rules::Rule& rule) {
    const auto old = past_.find(rule.path);
    kept[rule.path] = old == past_.end() ? RuleCounts{} : old->second;
  });
  past_ = std::move(kept);
  rules_ = std::move(rules);
  generation_.fetch_add(1, std::memory_order_release);
}

std::shared_ptr<const rules::RuleSet> RuleService::rules() const {
  const std::lock_guard lock{mutex_};
  return rules_;
}

RuleService::Counts RuleService::counts() const {
  const std::lock_guard lock{mutex_};
  Counts sum{.rules = rules_, .of_rules = std::vector<RuleCounts>(rules_->size())};
  std::unordered_map<std::string_view, std::size_t> numbers;
  for_each_rule(*rules_, [&](const rules::Rule& rule) {
    numbers.emplace(rule.path, rule.number);
    sum.of_rules[rule.number] += past_.at(rule.path);
  });
  for (const RulesInUse* const in_use : in_use_)
    for_each_rule(in_use->rules(), [&](const rules::Rule& rule) {
      const auto number = numbers.find(rule.path);
      if (number != numbers.end()) sum.of_rules[number->second] += in_use->tally().of(rule.number);
    });
  sum.rest = past_rest_;
  sum.latency = past_latency_;
  for (const RuleLoop* const loop : loops_) {
    for (std::size_t p = 0; p < kProtocols; ++p) {
      sum.rest[p] += loop->rest(Protocol(p));
      sum.latency[p] += loop->latency_[p].value();
    }
  }
  return sum;
}

void RuleService::add(const RulesInUse& in_use) {
  const std::lock_guard lock{mutex_};
  in_use_.push_back(&in_use);
}

void RuleService::remove(const RulesInUse& in_use) {
  const std::lock_guard lock{mutex_};
  std::erase(in_use_, &in_use);
  for_each_rule(in_use.rules(), [&](const rules::Rule& rule) {
    const auto past = past_.find(rule.path);
    if (past != past_.end()) past->second += in_use.tally().of(rule.number);
  });
}

void RuleService::add(const RuleLoop& loop) {
  const std::lock_guard lock{mutex_};
  loops_.push_back(&loop);
}

void RuleService::remove(const RuleLoop& loop) {
  const std::lock_guard lock{mutex_};
  std::erase(loops_, &loop);
  for (std::size_t p = 0; p < kProtocols; ++p) {
    past_rest_[p] += loop.rest(Protocol(p));
    past_latency_[p] += loop.latency_[p].value();
  }
}

RuleLoop::RuleLoop(RuleService& service) : service_{service} {
  service_.add(*this);
}

RuleLoop::~RuleLoop() {
  service_.remove(*this);
}

const rules::RuleSet& RuleLoop::rules() {
  refresh();
  return in_use_->rules();
}

void RuleLoop::refresh() {
  const std::uint64_t generation = service_.generation();
  if (generation == generation_) return;
  in_use_ = std::make_shared<RulesInUse>(service_, service_.rules());
  generation_ = generation;
}

void RuleLoop::ask(const rules::DescriptorRequest& request, RuleCall& call) {
  refresh();
  call.loop_ = this;
  call.in_use_ = in_use_;
  call.asked_ = service_.clock().now();
  in_use_->rules().match(request, call.match_);
  TakeOp& op = call;
  op.takes = call.match_.takes();
  op.charge = service_.options().charge;
  op.error.reset();
  op.complete = &RuleLoop::complete;
  if (op.takes.empty()) return complete(op);
  op.deadline = call.give_up;
  if (const Duration timeout = service_.options().store_timeout; timeout > Duration{0})
    op.deadline = std::min(op.deadline, call.asked_ + timeout);
  service_.store().submit(op);
}

void RuleLoop::complete(TakeOp& op) {
  auto& call = static_cast<RuleCall&>(op);
  call.loop_->count(call);
  call.done_(call);
}

void RuleLoop::count(const RuleCall& call) {
  latency_[static_cast<std::size_t>(call.protocol)].add(service_.clock().now() - call.asked_);
  Rest& rest = rest_[static_cast<std::size_t>(call.protocol)];
  if (call.problem()) return rest.errors.add(1);
  if (!call.knows_domain()) rest.unknown_domain.add(1);
  for (const rules::Met& met : call.descriptors()) count(call, met);
}

void RuleLoop::count(const RuleCall& call, const rules::Met& met) {
  switch (met.outcome) {
    case rules::Outcome::kTake:
      return count_take(call, met);
    case rules::Outcome::kUnlimited:
      return call.in_use_->tally().add(met.rule->number, call.protocol, Counted::kAllowed);
    case rules::Outcome::kNoLimit:
    case rules::Outcome::kReplaced:
      return rest_[static_cast<std::size_t>(call.protocol)].without_limit.add(1);
  }
}

void RuleLoop::count_take(const RuleCall& call, const rules::Met& met) {
  const Take& take = *call.take(met);
  const Decision& decision = *call.decision(met);
  if (met.rule != nullptr) {
    call.in_use_->tally().add(met.rule->number, call.protocol, counted(call, decision, take.role));
  } else {
    Rest& rest = rest_[static_cast<std::size_t>(call.protocol)];
    (decision.allowed ? rest.brought_allowed : rest.brought_denied).add(1);
  }
  if (const auto& tell = service_.options().on_decision) tell(take.key, take.limit, decision);
}

RestCounts RuleLoop::rest(Protocol protocol) const {
  const Rest& rest = rest_[static_cast<std::size_t>(protocol)];
  return {.unknown_domain = rest.unknown_domain.value(),
          .without_limit = rest.without_limit.value(),
          .brought_allowed = rest.brought_allowed.value(),
          .brought_denied = rest.brought_denied.value(),
          .errors = rest.errors.value()};
}

}  // namespace tidegate::frontend
