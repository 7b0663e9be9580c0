// The limiters that services keep in Redis by hand, on a real Redis, and the algorithm or layout
// that replaces each: the same trace, the same answers.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/random.h"
#include "tests/twins/script_scene.h"
#include "tests/twins/services.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;

class OnRedis : public ScriptScene {
 protected:
  // Calls at random instants of a service and of ours, each with a key of its own.
  template <class MakeService>
  void expect_same_answers(const Limit& limit, std::string_view layout, MakeService make) {
    for_each_trace(10, [&](Random& random) {
      redis_.ask({"FLUSHALL"});
      Time now = kNow + random.between(0, 10'000) * 1ms;
      auto service = make(now);
      for (int i = 0; i < 60 && !HasFailure(); ++i) {
        EXPECT_EQ(take("ours", limit, now, 1, layout).allowed, service.pass(now)) << "call " << i;
        now += random.pick<std::int64_t>({0, 0, 1, 400, random.between(0, limit.period() / 1ms)}) *
               Duration{1ms};
      }
    });
  }

  int admitted(int calls, Duration apart, const Limit& limit, std::string_view layout = {}) {
    int count = 0;
    for (int i = 0; i < calls; ++i)
      count += take("k", limit, kNow + i * apart, 1, layout).allowed ? 1 : 0;
    return count;
  }
};

TEST_F(OnRedis, A_sorted_set_window_is_sliding_window) {
  const auto make = [&](Time) { return SortedSetService{redis_, "theirs", 5, 60s}; };
  expect_same_answers("5/60s"_limit, "", make);
  expect_same_answers("5/60s"_limit, "zset", make);
}

TEST_F(OnRedis, A_sorted_set_window_passes_5_of_15_a_millisecond_apart_or_not) {
  for (const std::string_view layout : {"", "zset"})
    for (const Duration apart : {Duration{1ms}, Duration{0}}) {
      redis_.ask({"FLUSHALL"});
      EXPECT_EQ(admitted(15, apart, "5/60s"_limit, layout), 5);
    }
}

TEST_F(OnRedis, A_list_of_passes_is_sliding_window) {
  const auto make = [&](Time) { return PassListService{redis_, "theirs", 5, 10s}; };
  expect_same_answers("5/10s"_limit, "", make);
  expect_same_answers("5/10s"_limit, "list", make);
}

TEST_F(OnRedis, A_list_of_passes_follows_the_tenths_of_a_second) {
  for (const std::string_view layout : {"", "list"}) {
    const auto passes = [&](Duration t) { return take("k", "5/10s"_limit, kNow + t, 1, layout); };
    redis_.ask({"FLUSHALL"});
    for (const Duration t :
         {Duration{1s}, Duration{2800ms}, Duration{4s}, Duration{5500ms}, Duration{7s}})
      EXPECT_TRUE(passes(t).allowed);
    for (Duration t = 8s; t < 11s; t += 100ms) EXPECT_FALSE(passes(t).allowed);
    EXPECT_TRUE(passes(11'100ms).allowed);
    EXPECT_FALSE(passes(11'100ms).allowed);
  }
}

TEST_F(OnRedis, A_list_of_tokens_is_token_bucket_with_refill_interval) {
  expect_same_answers("1/10s burst 4 refill interval"_limit, "", [&](Time start) {
    return TokenListService{redis_, "theirs", 4, 10s, start};
  });
}

TEST_F(OnRedis, A_counter_is_fixed_window_in_one_step_with_a_ttl_from_the_first) {
  const Limit limit = "20/10s algorithm fixed_window"_limit;
  EXPECT_EQ(admitted(30, 0ms, limit), 20);
  EXPECT_GT(integer({"PTTL", "fixed_window:k"}), 0);
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(take_now("live", limit, 1, "counter").allowed, i < 20);
    EXPECT_GT(integer({"PTTL", "live"}), 0);
  }
}

}  // namespace
}  // namespace tidegate::test
