// Start here: a store in hand, and the few calls that matter.
//
//   MemoryStore store;
//   Limiter limiter{store};
//   constexpr Limit five_a_minute = "5/min"_limit;
//   if (limiter.take("user:42", five_a_minute)->allowed) serve(); else refuse();
//
// A denial is not an error: errors are a negative cost, a key above 64 KiB, two limits on one key
// in one request, or a store's own. Thread safety: every member may be called from any thread.
// Cost: over a MemoryStore, that of the store, without allocation. Over a store that answers later
// the calls block; it needs its event loop on another thread.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "tidegate/algorithm/decision.h"
#include "tidegate/algorithm/limit.h"
#include "tidegate/base/clock.h"
#include "tidegate/base/expected.h"
#include "tidegate/store/store.h"

namespace tidegate {

class MemoryStore;

class Limiter {
 public:
  explicit Limiter(MemoryStore& store, const Clock& clock = system_clock());
  explicit Limiter(Store& store, const Clock& clock = system_clock());

  // May this happen now, and if not, when? Charges the cost when it may.
  [[nodiscard]] Expected<Decision> take(std::string_view key, const Limit& limit, Cost cost = 1);

  // Several takes, one answer, at one instant.
  [[nodiscard]] Expected<Verdict> take(std::span<const Take> takes,
                                       Charge charge = Charge::kAllOrNothing);
  [[nodiscard]] Expected<Verdict> take(std::initializer_list<Take> takes,
                                       Charge charge = Charge::kAllOrNothing);

  // What a take would get now. Changes nothing.
  [[nodiscard]] Expected<Decision> check(std::string_view key, const Limit& limit, Cost cost = 1);

  // Undoes a take; `at` is that decision's. See GiveBackOp.
  Expected<void> give_back(std::string_view key, const Limit& limit, Cost cost = 1,
                           std::optional<Time> at = std::nullopt);

  // Forgets a key.
  Expected<void> reset(std::string_view key);

  // Takes, waiting for as long as it must: sleeps until retry_after and tries again. A denial is
  // returned at once when the next try would come after the deadline, or never.
  [[nodiscard]] Expected<Decision> acquire(std::string_view key, const Limit& limit, Time deadline,
                                           Cost cost = 1);

 private:
  Expected<Verdict> decide(std::span<const Take> takes, Charge charge, bool check_only);
  Expected<Decision> decide_one(std::string_view key, const Limit& limit, Cost cost,
                                bool check_only);

  Store& store_;
  MemoryStore* memory_;  // the same store when it can be called directly, or null
  const Clock& clock_;
};

}  // namespace tidegate
