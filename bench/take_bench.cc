// One take against the least that any keyed limiter must do: a clock read, a hash, and a find and
// write in a good hash table. Then batches, and two threads.
#include <absl/container/flat_hash_map.h>

#include <memory>
#include <mutex>
#include <thread>

#include "bench/harness.h"
#include "tidegate/store/memory/identity.h"
#include "tidegate/store/memory/memory_store.h"
#include "tidegate/store/memory/sweeper.h"

namespace tidegate::bench {
namespace {

constexpr std::uint64_t kTakes = 200'000;  // a round

struct Named {
  const char* name;
  Limit limit;
};
constexpr Named kConstantSize[] = {
    {"fixed_window", "1000000/h algorithm fixed_window"_limit},
    {"sliding_window_counter", "1000000/h algorithm sliding_window_counter"_limit},
    {"token_bucket", "1000000/h burst 1000000"_limit},
};
constexpr Named kLog = {"sliding_window 10/60s", "10/60s"_limit};

// Where results go, so that no work can be left out.
volatile std::uint64_t sink;

struct State24 {
  std::uint64_t words[3];
};
using Map = absl::flat_hash_map<std::uint64_t, State24>;

// The baseline: the system's clock, the same hash, one map or 64 under mutexes.
class Baseline {
 public:
  Baseline(std::uint64_t keys, bool sharded) : sharded_{sharded} {
    for (std::uint64_t i = 0; i < keys; ++i) {
      const std::uint64_t hash = identify(i);
      shard(hash).map[hash] = {};
    }
  }

  std::uint64_t take(std::uint64_t number) {
    const std::uint64_t hash = identify(number);
    Shard& shard = this->shard(hash);
    if (!sharded_) return write(shard.map, hash);
    const std::lock_guard lock{shard.mutex};
    return write(shard.map, hash);
  }

 private:
  struct Shard {
    std::mutex mutex;
    Map map;
  };

  std::uint64_t identify(std::uint64_t number) const {
    return identifier_.of(Key{number}.view(), Algorithm::kFixedWindow);
  }
  Shard& shard(std::uint64_t hash) { return shards_[sharded_ ? hash >> 58 : 0]; }
  std::uint64_t write(Map& map, std::uint64_t hash) {
    const auto now =
        static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    State24& state = map.find(hash)->second;
    state.words[0] = now;
    return ++state.words[1];
  }

  const bool sharded_;
  memory::Identifier identifier_;
  std::array<Shard, 64> shards_;
};

// A store as a service has it, with its sweeper.
struct Service {
  MemoryStore store;
  Sweeper sweeper{store};
};

std::unique_ptr<Service> filled(std::uint64_t keys, const Limit& limit) {
  auto service = std::make_unique<Service>();
  for (std::uint64_t i = 0; i < keys; ++i) service->store.take(Key{i}.view(), limit);
  return service;
}

void take_random(MemoryStore& store, std::uint64_t keys, const Limit& limit, Random& random) {
  std::uint64_t remaining = 0;
  for (std::uint64_t i = 0; i < kTakes; ++i)
    remaining += store.take(Key{random.below(keys)}.view(), limit).remaining;
  sink = remaining;
}

void report(const char* what, std::uint64_t keys, const Pair& pair, double bound) {
  const double per_take = 1e9 / static_cast<double>(kTakes);
  std::printf("%-38s %9llu keys  %6.1f ns  baseline %6.1f ns  ratio %.2f (at most %.1f)\n", what,
              static_cast<unsigned long long>(keys), pair.a * per_take, pair.b * per_take,
              pair.ratio, bound);
}

void single_takes(std::uint64_t keys, Baseline& baseline, const Named& named, double bound) {
  const auto service = filled(keys, named.limit);
  Random random_a{1};
  Random random_b{1};
  const Pair pair = interleave(
      41, [&] { take_random(service->store, keys, named.limit, random_a); },
      [&] {
        std::uint64_t sum = 0;
        for (std::uint64_t i = 0; i < kTakes; ++i) sum += baseline.take(random_b.below(keys));
        sink = sum;
      });
  report(named.name, keys, pair, bound);
}

void single_takes(std::uint64_t keys, bool sharded) {
  Baseline baseline{keys, sharded};
  for (const Named& named : kConstantSize) single_takes(keys, baseline, named, 1.3);
  single_takes(keys, baseline, kLog, 2.0);
}

void take_batches(MemoryStore& store, std::uint64_t keys, const Limit& limit, Random& random) {
  constexpr std::size_t kBatch = 64;
  std::vector<Key> batch_keys(kBatch, Key{0});
  std::vector<Take> takes(kBatch, Take{.key = {}, .limit = limit});
  std::vector<Decision> decisions(kBatch);
  std::uint64_t remaining = 0;
  for (std::uint64_t done = 0; done < kTakes; done += kBatch) {
    for (std::size_t i = 0; i < kBatch; ++i) {
      batch_keys[i] = Key{random.below(keys)};
      takes[i].key = batch_keys[i].view();
    }
    store.take_batch(takes, decisions);
    remaining += decisions.front().remaining;
  }
  sink = remaining;
}

void batches() {
  constexpr std::uint64_t kKeys = 1'000'000;
  for (const Named& named : kConstantSize) {
    const auto service = filled(kKeys, named.limit);
    Random random_a{1};
    Random random_b{1};
    const Pair pair = interleave(
        41, [&] { take_random(service->store, kKeys, named.limit, random_a); },
        [&] { take_batches(service->store, kKeys, named.limit, random_b); });
    const double per_take = 1e9 / static_cast<double>(kTakes);
    std::printf(
        "%-38s %9llu keys  single %6.1f ns  batch of 64 %6.1f ns  ratio %.2f (at least 2)\n",
        named.name, static_cast<unsigned long long>(kKeys), pair.a * per_take, pair.b * per_take,
        pair.ratio);
  }
}

// Takes a second, of all threads together, by the wall clock.
template <class Loop>
double rate(int threads, Loop&& loop) {
  const double start = seconds(CLOCK_MONOTONIC);
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) running.emplace_back([&loop, t] { loop(t); });
  for (std::thread& thread : running) thread.join();
  return static_cast<double>(threads) * static_cast<double>(kTakes) /
         (seconds(CLOCK_MONOTONIC) - start);
}

// How two threads on one store scale, against two threads with a store each.
void two_threads() {
  constexpr std::uint64_t kKeys = 1'000'000;
  const Named& named = kConstantSize[2];
  const auto shared = filled(kKeys, named.limit);
  const std::unique_ptr<Service> own[] = {filled(kKeys, named.limit), filled(kKeys, named.limit)};
  const auto loop = [&](MemoryStore& store, int t) {
    Random random{static_cast<std::uint64_t>(t) + 1};
    take_random(store, kKeys, named.limit, random);
  };
  std::vector<double> shared_scale;
  std::vector<double> own_scale;
  for (int round = 0; round < 41; ++round) {
    const double one = rate(1, [&](int t) { loop(shared->store, t); });
    shared_scale.push_back(rate(2, [&](int t) { loop(shared->store, t); }) / one);
    const double one_own = rate(1, [&](int t) { loop(own[t]->store, t); });
    own_scale.push_back(rate(2, [&](int t) { loop(own[t]->store, t); }) / one_own);
  }
  const double share = median(shared_scale) / median(own_scale);
  std::printf(
      "two threads: one store scales by %.2f, two stores by %.2f: share %.2f (at least 0.85)\n",
      median(shared_scale), median(own_scale), share);
}

}  // namespace
}  // namespace tidegate::bench

// With a word, only the part of that name.
int main(int argc, char** argv) {
  using namespace tidegate::bench;
  const std::string_view part = argc > 1 ? argv[1] : "";
  const auto wanted = [&](std::string_view name) { return part.empty() || part == name; };
  if (wanted("10k")) single_takes(10'000, false);
  if (wanted("1M")) single_takes(1'000'000, true);
  if (wanted("10M")) single_takes(10'000'000, true);
  if (wanted("batch")) batches();
  if (wanted("threads")) two_threads();
}
