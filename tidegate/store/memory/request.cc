#include "tidegate/store/memory/request.h"

#include <algorithm>
#include <limits>

#include "tidegate/store/memory/decide.h"
#include "tidegate/store/settle.h"

namespace tidegate::memory {
namespace {

Cost saturating_sum(Cost a, Cost b) {
  constexpr Cost kMost = std::numeric_limits<Cost>::max();
  return a > kMost - b ? kMost : a + b;
}

}  // namespace

Request::Request(Table& table, TakeOp& op) : table_{table}, op_{op}, count_{op.takes.size()} {
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Take& take = op.takes[i];
    const Identity identity = table.identity(take.key, take.limit.algorithm());
    std::uint32_t leader = 0;
    while (leader < i && slots_[leader].identity != identity) ++leader;
    slots_[i] = {identity, table.shard_index(identity), leader, take.cost};
    shards_[i] = slots_[i].shard;
    if (leader < i) slots_[leader].cost = saturating_sum(slots_[leader].cost, take.cost);
  }
  std::sort(shards_.begin(), shards_.begin() + count_);
  shard_count_ = static_cast<std::size_t>(std::unique(shards_.begin(), shards_.begin() + count_) -
                                          shards_.begin());
}

void Request::decide(const Clock& clock) {
  Verdict& verdict = op_.verdict;
  verdict.decisions.resize(count_);
  verdict.degraded = false;
  lock_shards();
  const Time now = read_in_order(clock, latest_);
  judge_all(now);
  verdict.allowed = admitted(op_.takes, verdict.decisions);
  write_all(now);
  if (!op_.check_only) tidy_shards(now);
  unlock_shards();
  verdict.binding = binding_take(op_.takes, verdict.decisions, verdict.allowed);
}

void Request::lock_shards() TIDEGATE_UNCHECKED {
  for (std::size_t i = 0; i < shard_count_; ++i) {
    Shard& shard = table_.shard(shards_[i]);
    shard.lock.lock();
    splits_[i] = shard.splits;
    latest_ = std::max(latest_, shard.latest);
  }
}

void Request::unlock_shards() TIDEGATE_UNCHECKED {
  for (std::size_t i = 0; i < shard_count_; ++i) table_.shard(shards_[i]).lock.unlock();
}

void Request::tidy_shards(Time now) TIDEGATE_UNCHECKED {
  for (std::size_t i = 0; i < shard_count_; ++i)
    table_.tidy(table_.shard(shards_[i]), splits_[i], now);
}

// The leaders first in one pass, then what follows them gets the same decision.
template <class F>
void Request::for_each_leader(F&& f) {
  for (std::uint32_t i = 0; i < count_; ++i) {
    const std::uint32_t leader = slots_[i].leader;
    if (leader == i) f(i);
    op_.verdict.decisions[i] = op_.verdict.decisions[leader];
  }
}

void Request::judge_all(Time now) {
  for_each_leader([&](std::size_t i) {
    Decision& decision = op_.verdict.decisions[i];
    decision = judge_one(i, now, slots_[i].cost);
  });
}

Decision Request::judge_one(std::size_t i, Time now, Cost cost) TIDEGATE_UNCHECKED {
  Shard& shard = table_.shard(slots_[i].shard);
  shard.latest = now;
  const Limit& limit = op_.takes[i].limit;
  const Decision decision = judge(table_, shard, slots_[i].identity, limit, now, cost);
  if (!decision.allowed || cost == 0) return decision;
  if (table_.find(shard, slots_[i].identity, limit.algorithm()) != nullptr) return decision;
  if (table_.has_room(shard, new_states_, now)) return ++new_states_, decision;
  op_.verdict.degraded = true;
  if (!op_.check_only) table_.count_denied_full();
  return denied_full(limit, now);
}

// Charges or repairs; a take that would fit but is not charged shows what really remains.
void Request::write_all(Time now) TIDEGATE_UNCHECKED {
  for_each_leader([&](std::size_t i) TIDEGATE_UNCHECKED {
    const auto& [identity, index, leader, cost] = slots_[i];
    Shard& shard = table_.shard(index);
    const Limit& limit = op_.takes[i].limit;
    Decision& decision = op_.verdict.decisions[i];
    const bool writes = cost > 0 && !op_.check_only;
    if (charged(decision, op_.verdict.allowed, op_.charge)) {
      if (writes) charge(table_, shard, identity, limit, now, cost);
      return;
    }
    if (writes) repair(table_, shard, identity, limit, now);
    if (!decision.allowed) return;
    const Decision kept = judge(table_, shard, identity, limit, now, 0);
    decision.remaining = kept.remaining;
    decision.reset_after = kept.reset_after;
  });
}

}  // namespace tidegate::memory
