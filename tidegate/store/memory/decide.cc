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

// Tells the table when the state may go, and what that would forgive.
void describe(Entry& entry, const Limit& limit, const Decision& decision, Time now) {
  const Time expires = std::min(now + decision.reset_after, kEndOfTime);
  entry.describe(limit.algorithm(), expires, limit.share(decision.capacity - decision.remaining));
}

template <class S>
void note_log(Table& table, Shard& shard, const Entry& entry, const S& state, Time now,
              std::size_t bytes_before) TIDEGATE_REQUIRES(shard.lock) {
  if constexpr (std::is_same_v<S, sliding_window::State>)
    table.log_resized(shard, entry.identity, now, bytes_before, log_bytes(state));
}

// After this the entry may have moved.
template <class S, class View>
void charge_entry(Table& table, Shard& shard, Entry& entry, const View& view, const Limit& limit,
                  Time now, Cost cost, const Decision& decision) TIDEGATE_REQUIRES(shard.lock) {
  S& state = entry.state<S>();
  const std::size_t before = log_bytes(state);
  charge(state, view, limit, cost);
  describe(entry, limit, decision, now);
  note_log(table, shard, entry, state, now, before);
}

template <class S>
void repair_entry(Table& table, Shard& shard, Entry& entry, const Limit& limit, Time now)
    TIDEGATE_REQUIRES(shard.lock) {
  S& state = entry.state<S>();
  const std::size_t before = log_bytes(state);
  if (!repair(state, limit, now)) return;
  describe(entry, limit, judge(state, limit, now, 0), now);
  note_log(table, shard, entry, state, now, before);
}

// The next ones have one result each, so that it is made where the caller wants it.
template <class S>
Decision take_new(Table& table, Shard& shard, Identity identity, const Limit& limit, Time now,
                  Cost cost, Table::Place place) TIDEGATE_REQUIRES(shard.lock) {
  Decision decision = judge(S{}, limit, now, cost);
  if (decision.allowed && cost > 0) {
    if (Entry* entry = table.insert(shard, identity, now, place)) {
      const S& state = entry->make_state<S>();
      charge_entry<S>(table, shard, *entry, read(state, limit, now), limit, now, cost, decision);
    } else {
      table.count_denied_full();
      decision = denied_full(limit, now);
    }
  }
  return decision;
}

template <class S>
Decision take_held(Table& table, Shard& shard, Entry& entry, const Limit& limit, Time now,
                   Cost cost) TIDEGATE_REQUIRES(shard.lock) {
  S& state = entry.state<S>();
  drop_expired(state, limit, now);
  const auto view = read(state, limit, now);
  const Decision decision = judge(view, limit, now, cost);
  if (cost > 0) {
    if (decision.allowed) {
      charge_entry<S>(table, shard, entry, view, limit, now, cost, decision);
    } else {
      repair_entry<S>(table, shard, entry, limit, now);
    }
  }
  return decision;
}

Decision take(Table& table, Shard& shard, const Segment& segment, Identity identity,
              const Limit& limit, Time now, Cost cost, Table::Place place)
    TIDEGATE_REQUIRES(shard.lock) {
  Entry* entry = table.find(segment, identity, limit.algorithm());
  return with_state_type(limit.algorithm(), [&]<class S>(std::type_identity<S>) TIDEGATE_UNCHECKED {
    return entry != nullptr ? take_held<S>(table, shard, *entry, limit, now, cost)
                            : take_new<S>(table, shard, identity, limit, now, cost, place);
  });
}

Decision take_and_tidy(Table& table, Shard& shard, const Segment& segment, Identity identity,
                       const Limit& limit, Time now, Cost cost) TIDEGATE_REQUIRES(shard.lock) {
  const std::uint32_t splits = shard.splits;
  const Decision decision =
      take(table, shard, segment, identity, limit, now, cost, Table::Place::kIfRoom);
  shard.latest = now;
  table.tidy(shard, splits, now);
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
  note_log(table, shard, entry, state, now, before);
}

}  // namespace

// Reading it takes about as long as the memory that has been asked for just before.
Time read_in_order(const Clock& clock, Time latest) {
  const Time now = clock.now();
  return now >= latest ? now : clock.now();
}

Decision take(Table& table, const Clock& clock, std::string_view key, const Limit& limit,
              Cost cost) {
  const Identity identity = table.identity(key, limit.algorithm());
  Shard& shard = table.shard(table.shard_index(identity));
  const SpinGuard guard{shard.lock};
  const Segment& segment = table.segment(shard, identity);
  segment.prefetch();
  return take_and_tidy(table, shard, segment, identity, limit, read_in_order(clock, shard.latest),
                       cost);
}

Decision check(Table& table, const Clock& clock, std::string_view key, const Limit& limit,
               Cost cost) {
  const Identity identity = table.identity(key, limit.algorithm());
  Shard& shard = table.shard(table.shard_index(identity));
  const SpinGuard guard{shard.lock};
  const Time now = read_in_order(clock, shard.latest);
  const Decision decision = judge(table, shard, identity, limit, now, cost);
  const bool needs_room =
      decision.allowed && cost > 0 && table.find(shard, identity, limit.algorithm()) == nullptr;
  return needs_room && !table.has_room(shard, 0, now) ? denied_full(limit, now) : decision;
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
  take(table, shard, table.segment(shard, identity), identity, limit, now, cost,
       Table::Place::kPromised);
}

void repair(Table& table, Shard& shard, Identity identity, const Limit& limit, Time now) {
  Entry* entry = table.find(shard, identity, limit.algorithm());
  if (entry == nullptr) return;
  with_state_type(limit.algorithm(), [&]<class S>(std::type_identity<S>) TIDEGATE_UNCHECKED {
    repair_entry<S>(table, shard, *entry, limit, now);
  });
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
  for_each_locked([&](Shard& shard, std::size_t i)
                      TIDEGATE_UNCHECKED { table.segment(shard, identities[i]).prefetch(); });
  for_each_locked([&](Shard& shard, std::size_t i) TIDEGATE_UNCHECKED {
    table.prefetch_state(table.segment(shard, identities[i]), identities[i]);
  });
  Time now = clock.now();
  for_each_locked([&](Shard& shard, std::size_t i) TIDEGATE_UNCHECKED {
    if (now < shard.latest) now = read_in_order(clock, shard.latest);  // others were here since
    decisions[i] = take_and_tidy(table, shard, table.segment(shard, identities[i]), identities[i],
                                 takes[i].limit, now, takes[i].cost);
  });
}

}  // namespace tidegate::memory
