// What all front ends share when they decide by rules: the set in use, the store, the counts.
//
//   RuleService service{store, clock, {}};
//   service.use(loaded.rules);                    // and again, whenever they are loaded anew
//   RuleLoop loop{service};                       // one for each event loop
//   loop.ask(request, call);                      // see rule_call.h
//
// A request is decided by the set that was in use when it was asked, whatever is used since. The
// counts of a rule go on when the next set has a rule of the same path. Thread safety: a
// RuleService may be used from any thread; a RuleLoop belongs to one event loop. Cost of a request:
// the match and the store's take; nothing is allocated once the call has grown.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tidegate/algorithm/decision.h"
#include "tidegate/base/clock.h"
#include "tidegate/frontend/latency.h"
#include "tidegate/frontend/loop_count.h"
#include "tidegate/frontend/on_decision.h"
#include "tidegate/frontend/protocol.h"
#include "tidegate/frontend/rule_call.h"
#include "tidegate/frontend/rule_counts.h"
#include "tidegate/rules/rule_set.h"
#include "tidegate/store/store.h"

namespace tidegate::frontend {

struct RuleOptions {
  Charge charge = Charge::kAllOrNothing;
  Duration store_timeout{0};  // how long a store may take; 0: for ever
  OnDecision on_decision = nullptr;
};

// What no rule counts, for each protocol.
struct RestCounts {
  std::uint64_t unknown_domain = 0;   // requests
  std::uint64_t without_limit = 0;    // descriptors that no limit met, or whose rule was replaced
  std::uint64_t brought_allowed = 0;  // by limits that requests bring themselves
  std::uint64_t brought_denied = 0;
  std::uint64_t errors = 0;  // requests that were not decided

  RestCounts& operator+=(const RestCounts& more);
  bool operator==(const RestCounts&) const = default;
};

class RuleLoop;
class RuleService;

// The rules in use on one event loop, and its counts of them. It lives for as long as a call needs
// it.
class RulesInUse {
 public:
  RulesInUse(RuleService& service, std::shared_ptr<const rules::RuleSet> rules);
  ~RulesInUse();
  RulesInUse(const RulesInUse&) = delete;
  RulesInUse& operator=(const RulesInUse&) = delete;

  const rules::RuleSet& rules() const { return *rules_; }
  RuleTally& tally() { return tally_; }
  const RuleTally& tally() const { return tally_; }

 private:
  RuleService& service_;
  const std::shared_ptr<const rules::RuleSet> rules_;
  RuleTally tally_;
};

class RuleService {
 public:
  // Starts with no rules, by which no request meets a limit. The store completes its operations on
  // the loop of the request. Store and clock must outlive the service.
  RuleService(Store& store, const Clock& clock, RuleOptions options);

  // From now on requests are decided by these.
  void use(std::shared_ptr<const rules::RuleSet> rules);
  std::shared_ptr<const rules::RuleSet> rules() const;

  Store& store() const { return store_; }
  const Clock& clock() const { return clock_; }
  const RuleOptions& options() const { return options_; }

  // By the numbers of the rules of the set in use, whose counts these are.
  struct Counts {
    std::shared_ptr<const rules::RuleSet> rules;
    std::vector<RuleCounts> of_rules;
    std::array<RestCounts, kProtocols> rest{};
    std::array<Latency, kProtocols> latency{};  // of requests, from asking to completion
  };
  Counts counts() const;

 private:
  friend class RulesInUse;
  friend class RuleLoop;

  std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }
  void add(const RulesInUse& in_use);
  void remove(const RulesInUse& in_use);
  void add(const RuleLoop& loop);
  void remove(const RuleLoop& loop);

  Store& store_;
  const Clock& clock_;
  const RuleOptions options_;
  std::atomic<std::uint64_t> generation_{0};  // of the rules
  mutable std::mutex mutex_;                  // of all below
  std::shared_ptr<const rules::RuleSet> rules_;
  std::unordered_map<std::string, RuleCounts> past_;  // by the paths of the set in use, no others
  std::vector<const RulesInUse*> in_use_;
  std::vector<const RuleLoop*> loops_;
  std::array<RestCounts, kProtocols> past_rest_{};  // of loops that are gone
  std::array<Latency, kProtocols> past_latency_{};
};

class RuleLoop {
 public:
  explicit RuleLoop(RuleService& service);
  ~RuleLoop();
  RuleLoop(const RuleLoop&) = delete;
  RuleLoop& operator=(const RuleLoop&) = delete;

  // Matches and decides; `call` completes, perhaps before this returns. The request needs to live
  // only for the call of this; `call` until it completes, and the loop longer.
  void ask(const rules::DescriptorRequest& request, RuleCall& call);

  // The rules by which the next request is decided.
  const rules::RuleSet& rules();

  RuleService& service() const { return service_; }

 private:
  friend class RuleService;
  friend class RuleCall;

  struct Rest {
    LoopCount unknown_domain, without_limit, brought_allowed, brought_denied, errors;
  };

  static void complete(TakeOp& op);
  void refresh();
  void count(const RuleCall& call);
  void count(const RuleCall& call, const rules::Met& met);
  void count_take(const RuleCall& call, const rules::Met& met);
  RestCounts rest(Protocol protocol) const;

  RuleService& service_;
  std::uint64_t generation_ = 0;
  std::shared_ptr<RulesInUse> in_use_;
  std::array<Rest, kProtocols> rest_;
  std::array<LatencyCount, kProtocols> latency_;
};

}  // namespace tidegate::frontend
