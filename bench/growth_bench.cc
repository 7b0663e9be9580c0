// What growth costs the take that meets it: a table grows to 50 million keys in batches of 64, and
// the most that one take moved, zeroed, mapped or freed is counted; then the slowest batch while
// growing is set against the slowest batch of as many takes without growth.
#include <cstdlib>

#include "bench/harness.h"
#include "tidegate/store/memory/memory_store.h"
#include "tidegate/store/memory/sweeper.h"
#include "tidegate/store/memory/work.h"

namespace tidegate::bench {
namespace {

constexpr Limit kLimit = "1/h burst 1000"_limit;  // no state is neutral while this runs
constexpr std::uint64_t kBatch = 64;

using memory::Work;
using memory::work_of_this_thread;

void raise_to(Work& most, const Work& work) {
  most.states_moved = std::max(most.states_moved, work.states_moved);
  most.bytes_zeroed = std::max(most.bytes_zeroed, work.bytes_zeroed);
  most.bytes_mapped = std::max(most.bytes_mapped, work.bytes_mapped);
  most.segments_freed = std::max(most.segments_freed, work.segments_freed);
}

// CPU time of this thread for each batch of 64 takes of keys [0, keys), and the most one take did.
std::vector<double> batches(MemoryStore& store, std::uint64_t keys, Work& most) {
  std::vector<double> times;
  times.reserve(keys / kBatch);
  for (std::uint64_t first = 0; first < keys; first += kBatch) {
    const double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    for (std::uint64_t i = first; i < first + kBatch; ++i) {
      work_of_this_thread = {};
      store.take(Key{i}.view(), kLimit);
      raise_to(most, work_of_this_thread);
    }
    times.push_back(seconds(CLOCK_THREAD_CPUTIME_ID) - start);
  }
  std::sort(times.begin(), times.end());
  return times;
}

void report(const char* what, const std::vector<double>& times) {
  const auto at = [&](double share) {
    const auto last = static_cast<double>(times.size() - 1);
    return 1e6 * times[static_cast<std::size_t>(share * last)];
  };
  std::printf(
      "%-16s batch of 64: median %.1f us, 99.9 %% %.1f us, 99.999 %% %.1f us, worst %.1f us\n",
      what, at(.5), at(.999), at(.99999), at(1));
}

void run(std::uint64_t keys) {
  MemoryStore store;
  const Sweeper sweeper{store};
  Work growing_most;
  Work settled_most;
  const std::vector<double> growing = batches(store, keys, growing_most);
  const std::vector<double> settled = batches(store, keys, settled_most);
  std::printf(
      "%.0f M keys; the most of any one take: %llu states moved (64), %llu bytes zeroed "
      "(65536), %llu mapped (65536), %llu segments freed (1)\n",
      static_cast<double>(keys) * 1e-6, static_cast<unsigned long long>(growing_most.states_moved),
      static_cast<unsigned long long>(growing_most.bytes_zeroed),
      static_cast<unsigned long long>(growing_most.bytes_mapped),
      static_cast<unsigned long long>(growing_most.segments_freed));
  report("growing", growing);
  report("without growth", settled);
  std::printf("worst growing / worst without: %.2f (at most 4)\n", growing.back() / settled.back());
}

}  // namespace
}  // namespace tidegate::bench

int main(int argc, char** argv) {
  tidegate::bench::run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 50'000'000);
}
