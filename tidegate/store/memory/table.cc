#include "tidegate/store/memory/table.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tidegate::memory {
namespace {

constexpr std::uint32_t kMostShardBits = 8;
constexpr std::uint32_t kSamples = 8;

void add(std::atomic<std::uint64_t>& counter, std::uint64_t amount) {
  counter.fetch_add(amount, std::memory_order_relaxed);
}

std::uint64_t get(const std::atomic<std::uint64_t>& counter) {
  return counter.load(std::memory_order_relaxed);
}

// How many states a cap allows; all there can be without one.
std::uint64_t most_states(const MemoryStoreOptions& options) {
  std::uint64_t most = options.max_keys > 0 ? options.max_keys : ~std::uint64_t{0};
  if (options.max_memory > 0) most = std::min(most, options.max_memory / kBytesPerState);
  return most;
}

// Fewer shards under a small cap, so that a shard has states enough to choose a victim from.
std::uint32_t shard_bits(const MemoryStoreOptions& options) {
  const std::uint64_t shards = std::max<std::uint64_t>(1, most_states(options) / 64);
  return std::min(kMostShardBits, static_cast<std::uint32_t>(std::bit_width(shards)) - 1);
}

std::uint64_t roll(std::uint64_t& dice) {
  dice = dice * 6364136223846793005 + 1442695040888963407;
  return dice ^ dice >> 29;
}

// Whether forgetting `a` forgives less than forgetting `b`.
bool forgives_less(const Entry& a, const Entry& b, Time now) {
  const bool neutral = a.expires() <= now;
  if (neutral != (b.expires() <= now)) return neutral;
  if (a.fullness() != b.fullness()) return a.fullness() < b.fullness();
  return a.expires() < b.expires();
}

}  // namespace

Table::Table(const MemoryStoreOptions& options)
    : options_{options}, bits_{shard_bits(options)}, shards_{new Shard[bits_.shards()]} {
  for (std::uint32_t i = 0; i < bits_.shards(); ++i) {
    const SpinGuard guard{shards_[i].lock};
    shards_[i].dice = identifier_.of({reinterpret_cast<const char*>(&i), sizeof i}, Algorithm{});
  }
}

// Only logs hold memory outside the arena, so only they must be looked for.
Table::~Table() {
  if (get(log_bytes_) == 0) return;
  for (std::uint32_t i = 0; i < bits_.shards(); ++i) {
    const SpinGuard guard{shards_[i].lock};
    Shard& shard = shards_[i];
    for (std::uint32_t d = 0; d < shard.directory_size(); ++d) {
      Segment& segment = *arena_.at<Segment>(shard.directory[d]);
      while (segment.size() > 0) drop(segment, segment.size() - 1);
    }
  }
}

void Table::prefetch_state(const Segment& segment, Identity identity) const {
  const std::uint64_t found = segment.candidates(identity);
  if (found == 0) return;
  const auto* entry = reinterpret_cast<const char*>(
      &segment.entry(arena_, static_cast<std::uint32_t>(std::countr_zero(found))));
  __builtin_prefetch(entry);
  __builtin_prefetch(entry + sizeof(Entry) - 1);
}

Entry* Table::insert(Shard& shard, Identity identity, Time now, Place place) {
  const std::uint32_t splits = shard.splits;
  make_room(shard, arena_, bits_, identity);
  const std::uint64_t keys = keys_.fetch_add(1, std::memory_order_relaxed) + 1;
  const bool may_sweep = shard.splits == splits;
  if (over_cap(keys) && !free_one(shard, identity, now, may_sweep) && place == Place::kIfRoom) {
    keys_.fetch_sub(1, std::memory_order_relaxed);
    return nullptr;
  }
  return &segment(shard, identity).append(arena_, identity);
}

bool Table::has_room(Shard& shard, std::uint64_t promised, Time now) {
  return options_.on_full == OnFull::kEvict || !over_cap(get(keys_) + promised + 1) ||
         sweep_step(shard, now) > 0;
}

bool Table::over_cap(std::uint64_t keys) const {
  if (options_.max_keys > 0 && keys > options_.max_keys) return true;
  return options_.max_memory > 0 && keys * kBytesPerState + get(log_bytes_) > options_.max_memory;
}

bool Table::erase(Shard& shard, Identity identity) {
  Segment& segment = shard.segment(arena_, bits_, identity);
  const std::uint32_t i = segment.find(arena_, identity);
  if (i == segment.size()) return false;
  drop(segment, i);
  add(erased_, 1);
  return true;
}

void Table::log_resized(Shard& shard, Identity identity, Time now, std::size_t before,
                        std::size_t after) {
  if (before != after) add(log_bytes_, after - before);
  if (options_.max_memory == 0 || options_.on_full != OnFull::kEvict) return;
  for (int i = 0; i < 2 && over_cap(get(keys_)); ++i) free_one(shard, identity, now, false);
}

// A shard without segments is passed over, and is not counted.
std::size_t Table::sweep(std::size_t segments, Time now) {
  std::size_t forgotten = 0;
  std::uint32_t empty = 0;  // in a row
  while (segments > 0 && empty < bits_.shards()) {
    Shard& shard = shards_[get(sweep_shard_) % bits_.shards()];
    const SpinGuard guard{shard.lock};
    if (shard.segments > 0) {
      forgotten += sweep_step(shard, now);
      --segments;
    }
    empty = shard.segments > 0 ? 0 : empty + 1;
    if (shard.sweep_index == 0) add(sweep_shard_, 1);
  }
  return forgotten;
}

// More segments are due sooner.
void Table::schedule_sweep(Shard& shard, Time now) const {
  const Duration share = options_.sweep_interval / std::max(1U, shard.segments);
  shard.next_sweep = std::min(shard.next_sweep, now + share);
}

std::size_t Table::sweep_step(Shard& shard, Time now) {
  shard.next_sweep = now + options_.sweep_interval / std::max(1U, shard.segments);
  const std::uint32_t index = shard.sweep_index;
  Segment& segment = *arena_.at<Segment>(shard.directory[index]);
  const std::size_t forgotten = drop_neutral(segment, now);
  add(swept_, forgotten);
  merge_if_sparse(shard, arena_, index);
  const std::uint32_t span = 1U << (shard.depth - segment.depth());
  shard.sweep_index = ((index | (span - 1)) + 1) & (shard.directory_size() - 1);
  return forgotten;
}

// Holes are filled from the end with states that stay, so that each moves at most once.
std::size_t Table::drop_neutral(Segment& segment, Time now) {
  const std::uint32_t before = segment.size();
  const auto neutral = [&](std::uint32_t i) { return segment.entry(arena_, i).expires() <= now; };
  for (std::uint32_t i = 0; i < segment.size(); ++i) {
    if (!neutral(i)) continue;
    while (segment.size() - 1 > i && neutral(segment.size() - 1)) drop(segment, segment.size() - 1);
    drop(segment, i);
  }
  return before - segment.size();
}

void Table::drop(Segment& segment, std::uint32_t i) {
  Entry& entry = segment.entry(arena_, i);
  if (const std::size_t bytes = entry.log_bytes(); bytes > 0) add(log_bytes_, 0 - bytes);
  entry.destroy_state();
  segment.remove(arena_, i);
  keys_.fetch_sub(1, std::memory_order_relaxed);
}

// A neutral state, looked for in one segment, or else a victim. A shard without any leaves it to
// another.
bool Table::free_one(Shard& shard, Identity keep, Time now, bool may_sweep) {
  if (may_sweep && sweep_step(shard, now) > 0) return true;
  if (options_.on_full == OnFull::kDenyNew) return false;
  return evict(shard, keep, now) || free_one_elsewhere(shard, keep, now);
}

bool Table::free_one_elsewhere(const Shard& shard, Identity keep, Time now) {
  const auto own = static_cast<std::uint32_t>(&shard - shards_.get());
  for (std::uint32_t i = 1; i < bits_.shards(); ++i) {
    Shard& other = shards_[(own + i) & (bits_.shards() - 1)];
    if (!other.lock.try_lock()) continue;  // it may be held by this very request
    const bool freed = evict(other, keep, now);
    other.lock.unlock();
    if (freed) return true;
  }
  return false;
}

// Forgets the least to forgive of some states chosen by chance, all of them fetched at once.
bool Table::evict(Shard& shard, Identity keep, Time now) {
  std::array<Segment*, kSamples> segments;
  for (Segment*& segment : segments) {
    const std::uint64_t index = roll(shard.dice) >> 32 & (shard.directory_size() - 1);
    segment = arena_.at<Segment>(shard.directory[index]);
    __builtin_prefetch(reinterpret_cast<const char*>(segment) + kLineBytes);
  }
  std::array<std::uint32_t, kSamples> chosen;
  for (std::uint32_t s = 0; s < kSamples; ++s) {
    if (segments[s]->size() == 0) continue;
    chosen[s] = static_cast<std::uint32_t>((roll(shard.dice) >> 32) % segments[s]->size());
    __builtin_prefetch(&segments[s]->entry(arena_, chosen[s]));
  }
  const Entry* victim = nullptr;
  std::uint32_t at = 0;
  for (std::uint32_t s = 0; s < kSamples; ++s) {
    if (segments[s]->size() == 0) continue;
    const Entry& entry = segments[s]->entry(arena_, chosen[s]);
    if (entry.identity == keep || (victim && !forgives_less(entry, *victim, now))) continue;
    victim = &entry;
    at = s;
  }
  if (victim == nullptr) return evict_from_any(shard, keep, now);
  drop(*segments[at], chosen[at]);
  add(evicted_, 1);
  return true;
}

// For a shard whose segments are so empty that the samples met none of its states: the least to
// forgive of the first segment that has another.
bool Table::evict_from_any(Shard& shard, Identity keep, Time now) {
  const auto start = static_cast<std::uint32_t>(roll(shard.dice) >> 32);
  for (std::uint32_t d = 0; d < shard.directory_size(); ++d) {
    const std::uint32_t index = (start + d) & (shard.directory_size() - 1);
    Segment& segment = *arena_.at<Segment>(shard.directory[index]);
    std::uint32_t victim = segment.size();
    for (std::uint32_t i = 0; i < segment.size(); ++i) {
      const Entry& entry = segment.entry(arena_, i);
      if (entry.identity == keep) continue;
      if (victim == segment.size() || forgives_less(entry, segment.entry(arena_, victim), now))
        victim = i;
    }
    if (victim == segment.size()) continue;
    drop(segment, victim);
    add(evicted_, 1);
    return true;
  }
  return false;
}

MemoryStoreCounters Table::counters() const {
  MemoryStoreCounters counters{.keys = get(keys_),
                               .bytes = arena_.bytes_in_use() + get(log_bytes_),
                               .swept = get(swept_),
                               .evicted = get(evicted_),
                               .erased = get(erased_),
                               .denied_full = get(denied_full_)};
  counters.inserted = counters.keys + counters.swept + counters.evicted + counters.erased;
  for (std::uint32_t i = 0; i < bits_.shards(); ++i) {
    const SpinGuard guard{shards_[i].lock};
    counters.segments += shards_[i].segments;
    counters.splits += shards_[i].splits;
    counters.merges += shards_[i].merges;
  }
  return counters;
}

}  // namespace tidegate::memory
