#include "tidegate/store/memory/sweeper.h"

#include <algorithm>

#include "tidegate/store/memory/memory_store.h"

namespace tidegate {
namespace {

constexpr Duration kStep = std::chrono::milliseconds{10};

}  // namespace

Sweeper::Sweeper(MemoryStore& store, Duration interval)
    : store_{store},
      interval_{std::max(interval, Duration{1})},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {
  store.ready_memory();  // here, and so before the first take
}

void Sweeper::run(const std::stop_token& stop) {
  const Duration step = std::min(kStep, interval_);
  const auto steps = static_cast<std::uint64_t>(interval_ / step);
  std::unique_lock lock{mutex_};
  while (!stopped_.wait_for(lock, stop, step, [&stop] { return stop.stop_requested(); })) {
    store_.ready_memory();
    store_.sweep(store_.counters().segments / steps + 1);
  }
}

}  // namespace tidegate
