// Memory a key, by the process' resident set: at every count from 1 to 20 million in steps of 5 %,
// for short and long keys, and for logs of 10, 100 and 1000 hits.
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <string>

#include "bench/harness.h"
#include "tidegate/store/memory/memory_store.h"
#include "tidegate/store/memory/sweeper.h"

namespace tidegate::bench {
namespace {

double resident_bytes() {
  std::ifstream statm{"/proc/self/statm"};
  double total = 0;
  double resident = 0;
  statm >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// A key of any length whose first bytes tell it apart.
std::string key(std::uint64_t number, std::size_t length) {
  std::string text = std::to_string(number);
  text.resize(length, '.');
  return text;
}

void constant_size(std::size_t key_length) {
  constexpr Limit kLimit = "1/h burst 1000"_limit;  // no state is neutral while this runs
  const double before = resident_bytes();
  MemoryStore store;
  const Sweeper sweeper{store};
  std::vector<double> per_key;
  std::uint64_t made = 0;
  for (std::uint64_t target = 1'000'000; target <= 20'000'000; target += target / 20) {
    for (; made < target; ++made) store.take(key(made, key_length), kLimit);
    per_key.push_back((resident_bytes() - before) / static_cast<double>(made));
  }
  std::printf(
      "keys of %4zu bytes, %zu counts from 1 M to %.1f M: median %.1f, most %.1f bytes a key "
      "(at most 48 and 64)\n",
      key_length, per_key.size(), static_cast<double>(made) * 1e-6, median(per_key),
      *std::max_element(per_key.begin(), per_key.end()));
}

// Many keys with so many hits each, admitted key by key or in turns.
void logs(std::uint64_t hits, const Limit& limit, bool in_turns) {
  const std::uint64_t keys = 20'000'000 / (hits + 20);
  const double before = resident_bytes();
  MemoryStore store;
  const Sweeper sweeper{store};
  for (std::uint64_t i = 0; i < keys * hits; ++i) {
    const std::uint64_t number = in_turns ? i % keys : i / hits;
    Decision decision = store.take(Key{number}.view(), limit);
    // Two hits of one microsecond would share a run.
    while (!in_turns && store.check(Key{number}.view(), limit).at == decision.at) {
    }
  }
  const double per_key = (resident_bytes() - before) / static_cast<double>(keys);
  std::printf("sliding_window %s, %4llu hits %s: %.0f bytes a key (at most %llu)\n",
              limit.to_string().c_str(), static_cast<unsigned long long>(hits),
              in_turns ? "in turns  " : "key by key", per_key, 12ULL * hits + 96);
}

}  // namespace
}  // namespace tidegate::bench

int main() {
  using tidegate::operator""_limit;
  namespace bench = tidegate::bench;
  bench::constant_size(16);
  bench::constant_size(500);
  for (const bool in_turns : {false, true}) {
    for (const std::uint64_t hits : {10U, 100U, 1000U}) bench::logs(hits, "1000/h"_limit, in_turns);
    bench::logs(10, "10/h"_limit, in_turns);
    bench::logs(100, "100/h"_limit, in_turns);
  }
}
