// Decisions over the states of a table: where the algorithms meet the memory.
//
// Thread safety: those that take a clock lock for themselves, the others need the shard's lock.
// Cost: that of Table::find and of the algorithm; a take of a key that has no state adds an insert.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "tidegate/base/clock.h"
#include "tidegate/store/memory/table.h"

namespace tidegate::memory {

// The time of a decision. The clock is read under the lock, so that on each key decisions come in
// the order of their times; once more if a processor read it ahead of the lock, and so before the
// latest decision there.
Time read_in_order(const Clock& clock, Time latest);

// A whole take of one key: judge, then charge, or repair alone.
Decision take(Table& table, const Clock& clock, std::string_view key, const Limit& limit,
              Cost cost);

// What a take would get now.
Decision check(Table& table, const Clock& clock, std::string_view key, const Limit& limit,
               Cost cost);

// Its parts, for requests of several takes. `charge` requires that judge allowed it and that a
// place was promised if it needs one.
Decision judge(const Table& table, const Shard& shard, Identity identity, const Limit& limit,
               Time now, Cost cost) TIDEGATE_REQUIRES(shard.lock);
void charge(Table& table, Shard& shard, Identity identity, const Limit& limit, Time now, Cost cost)
    TIDEGATE_REQUIRES(shard.lock);
void repair(Table& table, Shard& shard, Identity identity, const Limit& limit, Time now)
    TIDEGATE_REQUIRES(shard.lock);

// The answer to a new key when the table is full: not before a second has passed, in which the
// sweeper may find room.
Decision denied_full(const Limit& limit, Time now);

void give_back(Table& table, Shard& shard, Identity identity, const Limit& limit, Time now,
               Cost cost, std::optional<Time> at) TIDEGATE_REQUIRES(shard.lock);

// At most kBatch independent takes: all hashed, then all fetched, then all decided.
inline constexpr std::size_t kBatch = 64;
void take_batch(Table& table, const Clock& clock, std::span<const Take> takes,
                std::span<Decision> decisions);

}  // namespace tidegate::memory
