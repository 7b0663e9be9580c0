#include "tidegate/replay/outcome.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <numeric>

#include "tests/replay/traffic.h"

namespace tidegate::replay {
namespace {

using namespace std::chrono_literals;

// A sliding window as one would write it on paper: every admitted request is kept for a period.
class NaiveWindow {
 public:
  explicit NaiveWindow(const Limit& limit) : limit_{limit} {}

  bool take(Time at, std::uint32_t cost) {
    while (!admitted_.empty() && admitted_.front().first + limit_.period() <= at) {
      used_ -= admitted_.front().second;
      admitted_.pop_front();
    }
    if (used_ + cost > limit_.tokens()) return false;
    used_ += cost;
    admitted_.emplace_back(at, cost);
    return true;
  }

 private:
  const Limit& limit_;
  std::deque<std::pair<Time, std::uint32_t>> admitted_;
  std::uint64_t used_ = 0;
};

TEST(Replay, Decides_as_a_naive_window_does) {
  test::for_each_trace(60, [](test::Random& random) {
    const Trace trace = traffic(random, 2'000);
    const Limit limit = Limit::make({.tokens = static_cast<std::uint64_t>(random.between(1, 50)),
                                     .period = random.pick<Duration>({1s, 10s, 60s, 10min})})
                            .value();
    std::map<KeyId, NaiveWindow> windows;
    std::vector<std::uint32_t> denied(trace.keys.size());
    for (const Hit& hit : trace.hits)
      denied[hit.key] += !windows.try_emplace(hit.key, limit).first->second.take(hit.at, hit.cost);
    const Outcome outcome = decide(trace, limit, frame_of(trace, 50), 1);
    EXPECT_EQ(outcome.denied_by_key, denied) << limit.to_string();
  });
}

TEST(Replay, Says_the_same_with_any_number_of_threads) {
  test::Random random{7};
  const Trace trace = traffic(random, 20'000);
  const Frame frame = frame_of(trace, 100);
  for (const char* text : {"5/10s", "60/min algorithm fixed_window", "10/min burst 3",
                           "20/min algorithm sliding_window_counter"}) {
    const Limit limit = Limit::parse(text).value();
    const Outcome one = decide(trace, limit, frame, 1);
    for (const unsigned threads : {2U, 5U}) {
      const Outcome more = decide(trace, limit, frame, threads);
      EXPECT_EQ(more.denied_by_key, one.denied_by_key);
      EXPECT_EQ(more.allowed, one.allowed);
      EXPECT_EQ(more.denied_over_time, one.denied_over_time);
    }
  }
}

TEST(Replay, Counts_every_request_once) {
  test::for_each_trace(20, [](test::Random& random) {
    const Trace trace = traffic(random, 3'000);
    const Outcome outcome = decide(trace, "5/10s"_limit, frame_of(trace, 30), 2);
    const auto sum = [](const auto& counts) {
      return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    };
    EXPECT_EQ(outcome.allowed + outcome.denied, trace.hits.size());
    EXPECT_EQ(sum(outcome.allowed_over_time), outcome.allowed);
    EXPECT_EQ(sum(outcome.denied_over_time), outcome.denied);
    EXPECT_EQ(sum(outcome.denied_by_key), outcome.denied);
    EXPECT_EQ(outcome.denied_keys,
              static_cast<std::uint64_t>(std::ranges::count_if(
                  outcome.denied_by_key, [](std::uint32_t denied) { return denied > 0; })));
  });
}

TEST(Replay, Takes_a_trace_without_requests) {
  const Trace trace;
  const Outcome outcome = decide(trace, "5/s"_limit, frame_of(trace, 10), 3);
  EXPECT_EQ(outcome.allowed + outcome.denied, 0U);
}

TEST(Frame, Holds_every_request_in_stretches_that_people_count_in) {
  Trace trace;
  add(trace, "a", 0s);
  add(trace, "a", 3h);
  const Frame frame = frame_of(trace, 120);
  EXPECT_EQ(frame.width, 2min);
  EXPECT_LE(frame.start, kStart);
  EXPECT_LT(frame.index(kStart + 3h), frame.count);
  EXPECT_EQ(frame.index(frame.time(5)), 5U);
}

TEST(Frame, Is_one_stretch_for_one_moment) {
  Trace trace;
  add(trace, "a", 0s);
  EXPECT_EQ(frame_of(trace, 120).count, 1U);
}

}  // namespace
}  // namespace tidegate::replay
