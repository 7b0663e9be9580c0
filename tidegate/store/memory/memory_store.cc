#include "tidegate/store/memory/memory_store.h"

#include <algorithm>
#include <cassert>

#include "tidegate/store/memory/decide.h"
#include "tidegate/store/memory/request.h"
#include "tidegate/store/memory/table.h"

namespace tidegate {

using memory::Identity;
using memory::Shard;
using memory::Table;

MemoryStore::MemoryStore(const MemoryStoreOptions& options, const Clock& clock)
    : table_{std::make_unique<Table>(options)}, clock_{clock} {}

MemoryStore::~MemoryStore() = default;

Decision MemoryStore::take(std::string_view key, const Limit& limit, Cost cost) {
  assert(cost >= 0 && key.size() <= kMaxKeyBytes);
  return memory::take(*table_, clock_, key, limit, cost);
}

Decision MemoryStore::check(std::string_view key, const Limit& limit, Cost cost) const {
  assert(cost >= 0 && key.size() <= kMaxKeyBytes);
  return memory::check(*table_, clock_, key, limit, cost);
}

void MemoryStore::give_back(std::string_view key, const Limit& limit, Cost cost,
                            std::optional<Time> at) {
  const Identity identity = table_->identity(key, limit.algorithm());
  Shard& shard = table_->shard(table_->shard_index(identity));
  const SpinGuard guard{shard.lock};
  memory::give_back(*table_, shard, identity, limit, clock_.now(), cost, at);
}

void MemoryStore::reset(std::string_view key) {
  for (std::size_t a = 0; a < kAlgorithms; ++a) {
    const Identity identity = table_->identity(key, static_cast<Algorithm>(a));
    Shard& shard = table_->shard(table_->shard_index(identity));
    const SpinGuard guard{shard.lock};
    table_->erase(shard, identity);
  }
}

void MemoryStore::take_batch(std::span<const Take> takes, std::span<Decision> decisions) {
  assert(takes.size() == decisions.size());
  for (std::size_t first = 0; first < takes.size(); first += memory::kBatch) {
    const std::size_t count = std::min(memory::kBatch, takes.size() - first);
    memory::take_batch(*table_, clock_, takes.subspan(first, count),
                       decisions.subspan(first, count));
  }
}

std::size_t MemoryStore::sweep(std::size_t segments) {
  return table_->sweep(segments, clock_.now());
}

void MemoryStore::ready_memory() {
  table_->ready_memory();
}

MemoryStoreCounters MemoryStore::counters() const {
  return table_->counters();
}

void MemoryStore::submit(TakeOp& op) {
  op.error = problem_with(op.takes);
  if (!op.error) memory::Request{*table_, op}.decide(clock_);
  if (op.complete != nullptr) op.complete(op);
}

void MemoryStore::submit(GiveBackOp& op) {
  op.error = problem_with(op);
  if (!op.error) give_back(op.key, op.limit, op.cost, op.at);
  if (op.complete != nullptr) op.complete(op);
}

void MemoryStore::submit(ResetOp& op) {
  op.error = problem_with(op);
  if (!op.error) reset(op.key);
  if (op.complete != nullptr) op.complete(op);
}

}  // namespace tidegate
