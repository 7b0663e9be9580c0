#include "tidegate/store/memory/decide.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "tidegate/algorithm/algorithm.h"

namespace tidegate::memory {
namespace {

constexpr Duration kRetryWhenFull = std::chrono::seconds{1};

template <class S>
std::size_t log_bytes(const S& state) {
  if constexpr (std::is_same_v<S, sliding_window::State>) return state.runs.bytes();
  return 0;
}

std::uint8_t fullness(const Decision& decision) {
  if (decision.capacity == 0) return 0;
  const auto used = static_cast<float>(decision.capacity - decision.remaining);
  return static_cast<std::uint8_t>(255 * used / static_cast<float>(decision.capacity));
}

// Tells the table when the state may go, and what that would forgive.
void describe(Entry& entry, const Limit& limit, const Decision& decision, Time now) {
  const Time expires = std::min(now + decision.reset_after, kEndOfTime);
  entry.describe(limit.algorithm(), expires, fullness(decision));
}

// After this the entry may have moved.
template <class S, class View>
void charge_entry(Table& table, Shard& shard, Entry& entry, const View& view, const Limit& limit,
                  Time now, Cost cost, const Decision& decision) TIDEGATE_REQUIRES(shard.lock) {
  S& state = entry.state<S>();
  const std::size_t before = log_bytes(state);
  charge(state, view, limit, cost);
  describe(entry, limit, decision, now);
  table.log_resized(shard, entry.identity, now, before, log_bytes(state));
}

template <class S>
void repair_entry(Table& table, Shard& shard, Entry& entry, const Limit& limit, Time now)
    TIDEGATE_REQUIRES(shard.lock) {
  S& state = entry.state<S>();
  const std::size_t before = log_bytes(state);
  if (!repair(state, limit, now)) return;
  describe(entry, limit, judge(state, limit, now, 0), now);
  table.log_resized(shard, entry.identity, now, before, log_bytes(state));
}

template <class S>
Decision take_new(Table& table, Shard& shard, Identity identity, const Limit& limit, Time now,
                  Cost cost) TIDEGATE_REQUIRES(shard.lock) {
  const Decision decision = judge(S{}, limit, now, cost);
  if (!decision.allowed || cost == 0) return decision;
  Entry* entry = table.insert(shard, identity, now);
  if (entry == nullptr) return table.count_denied_full(), denied_full(limit, now);
  const auto& state = entry->make_state<S>();
  charge_entry<S>(table, shard, *entry, read(state, limit, now), limit, now, cost, decision);
  return decision;
}

template <class S>
Decision take_as(Table& table, Shard& shard, Identity identity, const Limit& limit, Time now,
                 Cost cost) TIDEGATE_REQUIRES(shard.lock) {
  Entry* entry = table.find(shard, identity, limit.algorithm());
  if (entry == nullptr) return take_new<S>(table, shard, identity, limit, now, cost);
  S& state = entry->state<S>();
  drop_expired(state, limit, now);
  const auto view = read(state, limit, now);
  const Decision decision = judge(view, limit, now, cost);
  if (cost == 0) return decision;
  if (decision.allowed) {
    charge_entry<S>(table, shard, *entry, view, limit, now, cost, decision);
  } else {
    repair_entry<S>(table, shard, *entry, limit, now);
  }
  return decision;
}

template <class S>
void give_back_as(Table& table, Shard& shard, Entry& entry, const Limit& limit, Time now, Cost cost,
                  std::optional<Time> at) TIDEGATE_REQUIRES(shard.lock) {
  S& state = entry.state<S>();
  const std::size_t before = log_bytes(state);
  give_back(state, limit, now, cost, at ? *at : oldest_charge(state, limit, now));
  const Decision left = judge(state, limit, now, 0);
  describe(entry, limit, left, now);
  table.log_resized(shard, entry.identity, now, before, log_bytes(state));
}

}  // namespace

Decision take(Table& table, Shard& shard, Identity identity, const Limit& limit, Time now,
              Cost cost) {
  table.sweep_if_due(shard, now);
  return with_state_type(limit.algorithm(), [&]<class S>(std::type_identity<S>) TIDEGATE_UNCHECKED {
    return take_as<S>(table, shard, identity, limit, now, cost);
  });
}

Decision judge(const Table& table, const Shard& shard, Identity identity, const Limit& limit,
               Time now, Cost cost) {
  Entry* entry = table.find(shard, identity, limit.algorithm());
  return with_state_type(limit.algorithm(), [&]<class S>(std::type_identity<S>) {
    return entry == nullptr ? judge(S{}, limit, now, cost)
                            : judge(entry->state<S>(), limit, now, cost);
  });
}

void charge(Table& table, Shard& shard, Identity identity, const Limit& limit, Time now,
            Cost cost) {
  with_state_type(limit.algorithm(), [&]<class S>(std::type_identity<S>) TIDEGATE_UNCHECKED {
    take_as<S>(table, shard, identity, limit, now, cost);
  });
}

void repair(Table& table, Shard& shard, Identity identity, const Limit& limit, Time now) {
  Entry* entry = table.find(shard, identity, limit.algorithm());
  if (entry == nullptr) return;
  with_state_type(limit.algorithm(), [&]<class S>(std::type_identity<S>) TIDEGATE_UNCHECKED {
    repair_entry<S>(table, shard, *entry, limit, now);
  });
}

bool full(const Table& table, const Shard& shard, Identity identity, const Limit& limit) {
  return !table.admits_new_states() && table.find(shard, identity, limit.algorithm()) == nullptr;
}

Decision denied_full(const Limit& limit, Time now) {
  return {.at = now, .retry_after = kRetryWhenFull, .capacity = limit.capacity()};
}

void give_back(Table& table, Shard& shard, Identity identity, const Limit& limit, Time now,
               Cost cost, std::optional<Time> at) {
  Entry* entry = table.find(shard, identity, limit.algorithm());
  if (entry == nullptr || cost <= 0) return;
  with_state_type(limit.algorithm(), [&]<class S>(std::type_identity<S>) TIDEGATE_UNCHECKED {
    give_back_as<S>(table, shard, *entry, limit, now, cost, at);
  });
}

void take_batch(Table& table, const Clock& clock, std::span<const Take> takes,
                std::span<Decision> decisions) {
  assert(takes.size() <= kBatch);
  std::array<Identity, kBatch> identities;
  const auto for_each_locked = [&](auto&& f) {
    for (std::size_t i = 0; i < takes.size(); ++i) {
      Shard& shard = table.shard(table.shard_index(identities[i]));
      const SpinGuard guard{shard.lock};
      f(shard, i);
    }
  };
  for (std::size_t i = 0; i < takes.size(); ++i) {
    identities[i] = table.identity(takes[i].key, takes[i].limit.algorithm());
    __builtin_prefetch(&table.shard(table.shard_index(identities[i])));
  }
  for_each_locked([&](Shard& shard, std::size_t i) TIDEGATE_UNCHECKED {
    table.prefetch_segment(shard, identities[i]);
  });
  for_each_locked([&](Shard& shard, std::size_t i) TIDEGATE_UNCHECKED {
    table.prefetch_state(shard, identities[i]);
  });
  Time now = clock.now();
  for_each_locked([&](Shard& shard, std::size_t i) TIDEGATE_UNCHECKED {
    if (now < shard.latest) now = clock.now();  // another thread was here since
    shard.latest = now;
    decisions[i] = take(table, shard, identities[i], takes[i].limit, now, takes[i].cost);
  });
}

}  // namespace tidegate::memory
