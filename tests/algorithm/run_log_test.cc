#include "tidegate/algorithm/run_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

#include "tests/support/limits.h"
#include "tests/support/random.h"

namespace tidegate {

void PrintTo(const Run& run, std::ostream* out) {
  *out << run.count << " at " << run.at.time_since_epoch().count();
}

}  // namespace tidegate

namespace tidegate::test {
namespace {

using Hits = tidegate::Run;  // inside of a test, Run is one of its members

constexpr std::uint32_t kMostNarrow = 2047;  // hits in a run of 8 bytes

RunLog log_of(std::size_t runs, std::uint32_t count = 1) {
  RunLog log;
  for (std::size_t i = 0; i < runs; ++i)
    log.push_back({at_us(static_cast<std::int64_t>(1000 + i)), count}, runs);
  return log;
}

void expect_equal(const RunLog& log, const std::deque<Hits>& right) {
  ASSERT_EQ(log.size(), right.size());
  ASSERT_EQ(log.empty(), right.empty());
  std::uint32_t used = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    ASSERT_EQ(log[i], right[i]) << "run " << i;
    used += right[i].count;
  }
  ASSERT_EQ(log.used(), used);
  if (right.empty()) return;
  ASSERT_EQ(log.front(), right.front());
  ASSERT_EQ(log.back(), right.back());
}

TEST(RunLog, Is_empty_and_without_memory_at_first) {
  const RunLog log;
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(log.size(), 0U);
  EXPECT_EQ(log.used(), 0U);
  EXPECT_EQ(log.bytes(), 0U);
}

TEST(RunLog, Is_24_bytes) {
  EXPECT_EQ(sizeof(RunLog), 24U);
}

TEST(RunLog, Keeps_the_last_instant_and_the_largest_counts) {
  for (const std::uint32_t count : {1U, kMostNarrow, kMostNarrow + 1, 0xffff'ffffU}) {
    RunLog log;
    log.push_back({kEndOfTime, count}, 1);
    expect_equal(log, {{kEndOfTime, count}});
  }
}

TEST(RunLog, Takes_at_most_12_bytes_a_run_and_a_little) {
  for (const std::size_t runs : {1U, 2U, 10U, 100U, 1000U, 65536U}) {
    EXPECT_LE(log_of(runs).bytes(), 12 * runs + 24) << runs << " runs";
    RunLog growing;
    for (std::size_t i = 0; i < runs; ++i) {
      growing.push_back({at_us(static_cast<std::int64_t>(i)), 1}, 1'000'000);
      ASSERT_LE(growing.bytes(), 12 * growing.size() + 24) << growing.size() << " runs";
    }
  }
}

TEST(RunLog, Keeps_no_more_room_ready_than_is_asked_for) {
  for (const std::size_t runs : {1U, 2U, 5U, 60U, 1000U})
    EXPECT_EQ(log_of(runs).bytes(), 8 * runs) << runs << " runs";
}

TEST(RunLog, Grows_past_the_room_asked_for_when_it_must) {
  RunLog log;
  for (std::int64_t i = 0; i < 20; ++i) log.push_back({at_us(i), 1}, 4);
  EXPECT_EQ(log.size(), 20U);
  EXPECT_EQ(log.used(), 20U);
}

TEST(RunLog, Doubles_its_cells_for_a_run_of_more_than_2047) {
  RunLog log = log_of(100, kMostNarrow);
  const std::size_t narrow = log.bytes();
  log.set(50, {log[50].at, kMostNarrow + 1});
  EXPECT_EQ(log.bytes(), 2 * narrow);
  EXPECT_EQ(log.used(), 100 * kMostNarrow + 1);
  EXPECT_EQ(log[49].count, kMostNarrow);
  EXPECT_EQ(log[50].count, kMostNarrow + 1);
}

TEST(RunLog, Turns_wide_in_any_turn_of_the_ring) {
  for (std::size_t turned = 0; turned <= 8; ++turned) {
    RunLog log = log_of(8);
    std::deque<Hits> right;
    for (std::size_t i = 0; i < 8; ++i) right.push_back(log[i]);
    for (std::size_t i = 0; i < turned; ++i) {
      const Hits run{at_us(static_cast<std::int64_t>(2000 + i)), 2};
      log.pop_front(1), right.pop_front();
      log.push_back(run, 8), right.push_back(run);
    }
    log.set(3, {right[3].at, 5000}), right[3].count = 5000;
    expect_equal(log, right);
    log.push_back({at_us(3000), 9000}, 9), right.push_back({at_us(3000), 9000});
    expect_equal(log, right);
  }
}

TEST(RunLog, Trim_gives_all_memory_back_when_empty_and_half_below_a_quarter) {
  RunLog log = log_of(1000);
  const std::size_t full = log.bytes();
  log.pop_front(740);
  log.trim();
  EXPECT_EQ(log.bytes(), full) << "260 of 1000 are left";
  log.pop_front(20);
  log.trim();
  EXPECT_LE(log.bytes(), full / 2) << "240 of 1000 are left";
  EXPECT_EQ(log.front().at, at_us(1760));
  log.pop_back(240);
  log.trim();
  EXPECT_EQ(log.bytes(), 0U);
}

TEST(RunLog, Is_narrow_again_after_it_was_empty) {
  RunLog log = log_of(10, 100'000);
  log.pop_front(10);
  log.trim();
  log.push_back({at_us(9), 1}, 1);
  EXPECT_EQ(log.bytes(), 8U);
}

TEST(RunLog, A_copy_is_its_own) {
  RunLog log = log_of(5, 3000);
  RunLog copy = log;
  EXPECT_EQ(copy, log);
  copy.set_back({at_us(5000), 7});
  EXPECT_NE(copy, log);
  EXPECT_EQ(log.back(), (Hits{at_us(1004), 3000}));
  copy = log;
  EXPECT_EQ(copy, log);
}

TEST(RunLog, A_copy_of_few_runs_in_a_large_ring_is_small) {
  RunLog log = log_of(1000);
  log.pop_front(990);
  EXPECT_LE(RunLog{log}.bytes(), 12 * 10U + 24);
}

TEST(RunLog, A_moved_from_log_is_empty) {
  RunLog log = log_of(5);
  const RunLog moved = std::move(log);
  EXPECT_EQ(moved.size(), 5U);
  // NOLINTBEGIN(bugprone-use-after-move,clang-analyzer-cplusplus.Move): it is promised
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(log.bytes(), 0U);
  log.push_back({at_us(1), 1}, 1);
  EXPECT_EQ(log.used(), 1U);
  // NOLINTEND(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
}

TEST(RunLog, Equality_looks_at_the_runs_alone) {
  RunLog wide = log_of(4);
  wide.set_back({wide.back().at, 4000});
  wide.set_back({wide.back().at, 1});
  EXPECT_EQ(wide, log_of(4)) << "whatever the cells";
  EXPECT_NE(wide, log_of(5));
  EXPECT_NE(wide, log_of(4, 2));
}

// A log and a deque that undergo the same.
class Twins {
 public:
  explicit Twins(Random& random) : random_{random}, wide_counts_{random.chance(40)} {}

  void step() {
    switch (random_.between(0, 9)) {
      case 0:
        pop_front();
        break;
      case 1:
        pop_back();
        break;
      case 2:
        erase();
        break;
      case 3:
        change();
        break;
      case 4:
        copy();
        break;
      case 5:
        log_.trim();
        break;
      default:
        push();
        break;
    }
    expect_equal(log_, right_);
  }

 private:
  std::size_t any(std::size_t most) {
    return static_cast<std::size_t>(random_.between(0, static_cast<std::int64_t>(most)));
  }
  std::uint32_t count() {
    const std::int64_t most = wide_counts_ && random_.chance(10) ? 1'000'000 : kMostNarrow;
    return static_cast<std::uint32_t>(random_.log_between(1, most));
  }

  void push() {
    time_ += random_.log_between(0, 1'000'000'000);
    const Hits run{at_us(time_), count()};
    log_.push_back(run, random_.chance(50) ? right_.size() + 1 : any(200));
    right_.push_back(run);
  }
  void pop_front() {
    const std::size_t runs =
        any(random_.chance(20) ? right_.size() : std::min<std::size_t>(3, right_.size()));
    log_.pop_front(runs);
    right_.erase(right_.begin(), right_.begin() + static_cast<std::ptrdiff_t>(runs));
  }
  void pop_back() {
    const std::size_t runs = any(std::min<std::size_t>(3, right_.size()));
    log_.pop_back(runs);
    right_.erase(right_.end() - static_cast<std::ptrdiff_t>(runs), right_.end());
  }
  void erase() {
    if (right_.empty()) return;
    const std::size_t i = any(right_.size() - 1);
    log_.erase(i);
    right_.erase(right_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  void change() {
    if (right_.empty()) return;
    const std::size_t i = any(right_.size() - 1);
    right_[i].count = count();
    log_.set(i, right_[i]);
  }
  void copy() {
    RunLog other{log_};
    if (random_.chance(50)) log_ = std::move(other);
  }

  Random& random_;
  const bool wide_counts_;
  RunLog log_;
  std::deque<Hits> right_;
  std::int64_t time_ = 0;
};

TEST(RunLog, Does_what_a_deque_does) {
  for_each_trace(600, [](Random& random) {
    Twins twins{random};
    for (int i = 0; i < 400 && !testing::Test::HasFatalFailure(); ++i) twins.step();
  });
}

}  // namespace
}  // namespace tidegate::test
