// A store to compare others with: one map, one lock, and the algorithms called in the plainest
// order.
//
// What has expired may be dropped whenever it is met or not at all, and after a clock has stepped
// back or a period was lengthened that shows. This store does either, so that a test can tell an
// answer that depends on it from a wrong one: kLazy keeps all it may, kEager drops all it may.
// Thread safety: as every store. Cost: a walk over all states an operation when eager.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tidegate/algorithm/algorithm.h"
#include "tidegate/base/clock.h"
#include "tidegate/store/settle.h"
#include "tidegate/store/store.h"

namespace tidegate::test {

enum class Forgetting : std::uint8_t { kLazy, kEager };

class ReferenceStore final : public Store {
 public:
  explicit ReferenceStore(const Clock& clock, Forgetting forgetting = Forgetting::kLazy)
      : clock_{clock}, forgetting_{forgetting} {}

  void submit(TakeOp& op) override {
    op.error = problem_with(op.takes);
    if (!op.error) decide(op);
    op.complete(op);
  }

  void submit(GiveBackOp& op) override {
    op.error = problem_with(op);
    if (!op.error) undo(op);
    op.complete(op);
  }

  void submit(ResetOp& op) override {
    op.error = problem_with(op);
    if (!op.error) forget(op.key);
    op.complete(op);
  }

  // Where another store may look at its states without being asked.
  void sweep() {
    const std::lock_guard lock{mutex_};
    drop_what_may_be(clock_.now());
  }

  std::size_t keys() const {
    const std::lock_guard lock{mutex_};
    return entries_.size();
  }

 private:
  using Identity = std::pair<Algorithm, std::string>;
  struct Entry {
    AnyState state;
    Limit limit;  // the last it was written under
  };

  static Identity identity(std::string_view key, const Limit& limit) {
    return {limit.algorithm(), std::string{key}};
  }

  void decide(TakeOp& op) {
    const std::lock_guard lock{mutex_};
    const Time now = clock_.now();
    drop_what_may_be(now);
    if (!op.check_only) drop_what_these_may(op.takes, now);
    op.verdict = judge_all(op.takes, now);
    Verdict& verdict = op.verdict;
    verdict.allowed = admitted(op.takes, verdict.decisions);
    if (!op.check_only) write(op, now);
    correct_uncharged(op, now);
    verdict.binding = binding_take(op.takes, verdict.decisions, verdict.allowed);
  }

  Verdict judge_all(std::span<const Take> takes, Time now) const {
    Verdict verdict;
    for (const Take& take : takes)
      verdict.decisions.push_back(judge(state_of(take), take.limit, now, cost_of(take, takes)));
    return verdict;
  }

  void write(const TakeOp& op, Time now) {
    for (std::size_t i = 0; i < op.takes.size(); ++i) {
      const Take& take = op.takes[i];
      const Cost cost = cost_of(take, op.takes);
      if (cost == 0 || !first_of_its_identity(op.takes, i)) continue;
      if (charged(op.verdict.decisions[i], op.verdict.allowed, op.charge)) {
        AnyState state = state_of(take);
        charge(state, take.limit, now, cost);
        entries_.insert_or_assign(identity(take.key, take.limit), Entry{state, take.limit});
      } else if (Entry* const entry = find(take.key, take.limit)) {
        if (repair(entry->state, take.limit, now)) entry->limit = take.limit;
      }
    }
  }

  // What a judgement foretold for a take that would be charged does not hold when it was not.
  void correct_uncharged(TakeOp& op, Time now) const {
    for (std::size_t i = 0; i < op.takes.size(); ++i) {
      Decision& decision = op.verdict.decisions[i];
      if (!decision.allowed || charged(decision, op.verdict.allowed, op.charge)) continue;
      const Decision peek = judge(state_of(op.takes[i]), op.takes[i].limit, now, 0);
      decision.remaining = peek.remaining;
      decision.reset_after = peek.reset_after;
    }
  }

  void undo(const GiveBackOp& op) {
    const std::lock_guard lock{mutex_};
    const Time now = clock_.now();
    drop_what_may_be(now);
    Entry* const entry = find(op.key, op.limit);
    if (entry == nullptr || op.cost == 0) return;
    const Time at = op.at.value_or(std::visit(
        [&](const auto& state) { return oldest_charge(state, op.limit, now); }, entry->state));
    give_back(entry->state, op.limit, now, op.cost, at);
    if (forgetting_ == Forgetting::kEager) repair(entry->state, op.limit, now);
    entry->limit = op.limit;
  }

  void forget(std::string_view key) {
    const std::lock_guard lock{mutex_};
    std::erase_if(entries_, [&](const auto& entry) { return entry.first.second == key; });
  }

  void drop_what_may_be(Time now) {
    if (forgetting_ == Forgetting::kLazy) return;
    for (auto& [key, entry] : entries_) drop_expired_runs(entry, entry.limit, now);
    std::erase_if(entries_, [&](const auto& item) {
      const Entry& entry = item.second;
      return judge(entry.state, entry.limit, now, 0).reset_after == Duration{0};
    });
  }

  static void drop_expired_runs(Entry& entry, const Limit& limit, Time now) {
    std::visit([&](auto& state) { drop_expired(state, limit, now); }, entry.state);
  }

  void drop_what_these_may(std::span<const Take> takes, Time now) {
    if (forgetting_ == Forgetting::kLazy) return;
    for (const Take& take : takes)
      if (Entry* const entry = find(take.key, take.limit))
        drop_expired_runs(*entry, take.limit, now);
  }

  Entry* find(std::string_view key, const Limit& limit) {
    const auto found = entries_.find(identity(key, limit));
    return found == entries_.end() ? nullptr : &found->second;
  }

  AnyState state_of(const Take& take) const {
    const auto found = entries_.find(identity(take.key, take.limit));
    return found == entries_.end() ? make_state(take.limit.algorithm()) : found->second.state;
  }

  static bool same_identity(const Take& a, const Take& b) {
    return a.key == b.key && a.limit.algorithm() == b.limit.algorithm();
  }

  static bool first_of_its_identity(std::span<const Take> takes, std::size_t i) {
    return std::none_of(takes.begin(), takes.begin() + static_cast<std::ptrdiff_t>(i),
                        [&](const Take& before) { return same_identity(before, takes[i]); });
  }

  // The costs of one identity in one request are one cost.
  static Cost cost_of(const Take& take, std::span<const Take> takes) {
    Cost sum = 0;
    for (const Take& other : takes) {
      if (!same_identity(take, other)) continue;
      const Cost room = std::numeric_limits<Cost>::max() - sum;
      sum += std::min(other.cost, room);
    }
    return sum;
  }

  const Clock& clock_;
  const Forgetting forgetting_;
  mutable std::mutex mutex_;
  std::map<Identity, Entry> entries_;
};

}  // namespace tidegate::test
