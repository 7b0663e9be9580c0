// No take does much more than its own: growing, shrinking and churning, counted call by call.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "tests/support/random.h"
#include "tidegate/base/clock.h"
#include "tidegate/store/memory/memory_store.h"
#include "tidegate/store/memory/work.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;
using memory::Work;
using memory::work_of_this_thread;

constexpr Limit kADay = "5/d algorithm fixed_window"_limit;
constexpr Limit kASecond = "5/s algorithm fixed_window"_limit;

// The most that any one call did, and all that they did together.
class WorkMeter {
 public:
  template <class Call>
  void measure(Call&& call) {
    work_of_this_thread = {};
    call();
    const Work& work = work_of_this_thread;
    most_.states_moved = std::max(most_.states_moved, work.states_moved);
    most_.bytes_zeroed = std::max(most_.bytes_zeroed, work.bytes_zeroed);
    most_.bytes_mapped = std::max(most_.bytes_mapped, work.bytes_mapped);
    most_.segments_freed = std::max(most_.segments_freed, work.segments_freed);
    freed_ += work.segments_freed;
    mapped_ += work.bytes_mapped;
  }

  void expect_bounded() const {
    EXPECT_LE(most_.states_moved, 64U);
    EXPECT_LE(most_.bytes_zeroed, 64U * 1024);
    EXPECT_LE(most_.bytes_mapped, 64U * 1024);
    EXPECT_LE(most_.segments_freed, 1U);
  }

  const Work& most() const { return most_; }
  std::uint64_t freed() const { return freed_; }
  std::uint64_t mapped() const { return mapped_; }

 private:
  Work most_;
  std::uint64_t freed_ = 0;
  std::uint64_t mapped_ = 0;
};

std::string_view key_of(std::uint64_t& i) {
  return {reinterpret_cast<const char*>(&i), sizeof i};
}

TEST(Growth, To_2_million_keys_moves_and_maps_little_at_a_time) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  WorkMeter meter;
  const std::uint64_t keys = kSanitized ? 100'000 : 2'000'000;
  for (std::uint64_t i = 0; i < keys; ++i) meter.measure([&] { store.take(key_of(i), kADay); });
  EXPECT_EQ(store.counters().keys, keys);
  meter.expect_bounded();
  EXPECT_GT(meter.most().states_moved, 0U);  // the meter is connected
  EXPECT_GT(meter.most().bytes_mapped, 0U);
  EXPECT_GT(meter.most().bytes_zeroed, 0U);
}

TEST(Growth, Down_again_frees_one_segment_at_a_time) {
  ManualClock clock;
  MemoryStore store{{.sweep_interval = 1s}, clock};
  WorkMeter meter;
  const std::uint64_t keys = kSanitized ? 20'000 : 200'000;
  for (std::uint64_t i = 0; i < keys; ++i) store.take(key_of(i), kASecond);
  clock.advance(1s);
  while (store.counters().keys > keys / 10) {  // shards that no take meets keep theirs
    for (std::uint64_t i = 0; i < 1'000; ++i, clock.advance(10us))
      meter.measure([&] { store.take(key_of(i), kADay); });
  }
  meter.expect_bounded();
  EXPECT_GT(meter.freed(), 0U);
}

TEST(Growth, Again_uses_the_memory_of_the_first_time) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  std::uint64_t mapped[2];
  for (std::uint64_t round = 0; round < 2; ++round) {
    WorkMeter meter;
    for (std::uint64_t i = 0; i < 50'000; ++i) {
      std::uint64_t key = round << 32 | i;
      meter.measure([&] { store.take(key_of(key), kASecond); });
    }
    mapped[round] = meter.mapped();
    clock.advance(1s);
    while (store.counters().keys > 0) store.sweep(1'000);
  }
  EXPECT_GT(mapped[0], 50'000U * 40);
  EXPECT_LT(mapped[1], mapped[0] / 10);
}

// Everything at once: inserts at the cap, evictions, sweeps, merges and splits.
void churn(const MemoryStoreOptions& options, std::uint64_t takes) {
  for_each_trace(1, [&](Random& random) {
    ManualClock clock;
    MemoryStore store{options, clock};
    WorkMeter meter;
    for (std::uint64_t i = 0; i < takes; ++i) {
      std::uint64_t key = i;
      const Limit& limit = random.chance(50) ? kASecond : kADay;
      meter.measure([&] { store.take(key_of(key), limit, random.between(1, 5)); });
      if (random.chance(1)) clock.advance(Duration{random.between(0, 30'000)});
    }
    meter.expect_bounded();
  });
}

TEST(Growth, Churn_at_the_cap_is_bounded_take_by_take) {
  const std::uint64_t takes = kSanitized ? 30'000 : 400'000;
  churn({.max_keys = 5'000, .sweep_interval = 1s}, takes);
  churn({.max_keys = 100'000, .sweep_interval = 100ms}, takes);
}

TEST(Growth, Churn_without_a_cap_is_bounded_take_by_take) {
  churn({.sweep_interval = 50ms}, kSanitized ? 30'000 : 400'000);
}

TEST(Growth, A_sweep_of_one_segment_is_bounded_too) {
  ManualClock clock;
  MemoryStore store{{}, clock};
  WorkMeter meter;
  for (std::uint64_t i = 0; i < 50'000; ++i) store.take(key_of(i), i % 10 == 0 ? kADay : kASecond);
  clock.advance(1s);
  for (int i = 0; i < 20'000; ++i) meter.measure([&] { store.sweep(1); });
  meter.expect_bounded();
  EXPECT_GT(meter.freed(), 0U);
}

}  // namespace
}  // namespace tidegate::test
