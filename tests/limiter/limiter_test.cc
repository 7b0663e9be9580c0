#include "tidegate/limiter.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/support/delayed_store.h"
#include "tests/support/random.h"
#include "tests/support/store_limits.h"
#include "tests/support/store_print.h"
#include "tidegate/store/memory/memory_store.h"

namespace tidegate::test {
namespace {

constexpr Limit kFive = "5/60s"_limit;
constexpr Limit kTen = "10/60s"_limit;

// A limiter that calls its store directly, and one whose store answers late and on another thread.
class LimiterTest : public ::testing::Test {
 protected:
  LimiterTest() { late_.start_thread(); }

  ManualClock clock_;
  MemoryStore memory_{{}, clock_};
  Limiter direct_{memory_, clock_};
  MemoryStore memory_behind_{{}, clock_};
  DelayedStore late_{memory_behind_, first_seed()};
  Limiter blocking_{static_cast<Store&>(late_), clock_};
  const std::array<Limiter*, 2> both_{&direct_, &blocking_};
};

TEST_F(LimiterTest, Takes_until_the_limit) {
  for (Limiter* limiter : both_) {
    for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(limiter->take("k", kFive)->remaining, 4 - i);
    const Expected<Decision> denied = limiter->take("k", kFive);
    EXPECT_FALSE(denied->allowed);
    EXPECT_EQ(denied->retry_after, std::chrono::seconds{60});
  }
}

TEST_F(LimiterTest, Checks_without_a_change) {
  for (Limiter* limiter : both_) {
    EXPECT_EQ(limiter->check("k", kFive, 5), limiter->check("k", kFive, 5));
    EXPECT_EQ(limiter->check("k", kFive, 2)->remaining, 3U);
    EXPECT_EQ(limiter->check("k", kFive, 0)->remaining, 5U);
    EXPECT_FALSE(limiter->check("k", kFive, 6)->allowed);
  }
}

TEST_F(LimiterTest, Gives_back_with_the_time_of_the_take_and_without) {
  for (Limiter* limiter : both_) {
    const Expected<Decision> taken = limiter->take("k", kFive, 3);
    EXPECT_TRUE(limiter->give_back("k", kFive, 2, taken->at));
    EXPECT_EQ(limiter->check("k", kFive, 0)->remaining, 4U);
    EXPECT_TRUE(limiter->give_back("k", kFive));
    EXPECT_EQ(limiter->check("k", kFive, 0)->remaining, 5U);
  }
}

TEST_F(LimiterTest, Gives_back_the_take_of_that_time_and_no_older_one) {
  const Time start = clock_.now();
  for (Limiter* limiter : both_) {
    clock_.set(start);
    EXPECT_TRUE(limiter->take("k", kFive, 3)->allowed);
    clock_.advance(std::chrono::seconds{10});
    const Expected<Decision> second = limiter->take("k", kFive, 2);
    EXPECT_TRUE(limiter->give_back("k", kFive, 2, second->at));
    clock_.set(start + std::chrono::seconds{60});
    EXPECT_EQ(limiter->check("k", kFive, 0)->remaining, 5U);
  }
}

TEST_F(LimiterTest, Resets_a_key) {
  for (Limiter* limiter : both_) {
    EXPECT_TRUE(limiter->take("k", kFive, 5)->allowed);
    EXPECT_TRUE(limiter->reset("k"));
    EXPECT_TRUE(limiter->take("k", kFive, 5)->allowed);
  }
}

TEST_F(LimiterTest, Answers_several_takes_at_once) {
  for (Limiter* limiter : both_) {
    EXPECT_TRUE(
        limiter->take({{.key = "a", .limit = kFive}, {.key = "b", .limit = kTen}})->allowed);
    const Expected<Verdict> denied =
        limiter->take({{.key = "a", .limit = kFive, .cost = 5}, {.key = "b", .limit = kTen}});
    EXPECT_FALSE(denied->allowed);
    EXPECT_EQ(denied->binding, 0U);
    EXPECT_EQ(limiter->check("b", kTen, 0)->remaining, 9U);
    const std::vector<Take> takes{{.key = "a", .limit = kFive, .cost = 5},
                                  {.key = "b", .limit = kTen, .cost = 4}};
    EXPECT_FALSE(limiter->take(takes, Charge::kEach)->allowed);
    EXPECT_EQ(limiter->check("b", kTen, 0)->remaining, 5U);
    EXPECT_FALSE(limiter
                     ->take({{.key = "a", .limit = kFive, .cost = 5}, {.key = "b", .limit = kTen}},
                            Charge::kEach)
                     ->allowed);
    EXPECT_EQ(limiter->check("b", kTen, 0)->remaining, 4U);
  }
}

TEST_F(LimiterTest, Says_what_is_wrong) {
  const std::string long_key(kMaxKeyBytes + 1, 'k');
  for (Limiter* limiter : both_) {
    for (const std::string& message :
         {limiter->take("k", kFive, -1).error().message(),
          limiter->check("k", kFive, -1).error().message(),
          limiter->give_back("k", kFive, -1).error().message(),
          limiter->acquire("k", kFive, kEndOfTime, -1).error().message(),
          limiter->take({{.key = "k", .limit = kFive, .cost = -1}}).error().message()})
      EXPECT_EQ(message,
                "key \"k\": a cost is not negative, this one is -1; give_back undoes a take");
    for (const std::string& message : {limiter->take(long_key, kFive).error().message(),
                                       limiter->check(long_key, kFive).error().message(),
                                       limiter->give_back(long_key, kFive).error().message(),
                                       limiter->reset(long_key).error().message()})
      EXPECT_NE(message.find("a key is at most 65536 bytes"), std::string::npos) << message;
    EXPECT_FALSE(limiter->take({{.key = "k", .limit = kFive}, {.key = "k", .limit = kTen}}));
    EXPECT_EQ(limiter->check("k", kFive, 0)->remaining, 5U);
  }
}

TEST_F(LimiterTest, Finds_a_memory_store_behind_the_interface) {
  Limiter limiter{static_cast<Store&>(memory_), clock_};
  EXPECT_TRUE(limiter.take("k", kFive, 2)->allowed);
  EXPECT_EQ(direct_.check("k", kFive, 0)->remaining, 3U);
}

std::string failure_of(const Expected<void>& result) {
  return result ? "" : result.error().message();
}

// One random call to both limiters, and the same answer from both. Each limit has keys of its own:
// what one store has swept under a shorter wait the other may still hold.
class Pair {
 public:
  Pair(Limiter& a, Limiter& b, Random& random) : a_{a}, b_{b}, random_{random} {}

  void call() {
    const Limit& limit = random_.pick_from(limit_cases()).limit;
    const std::string key = random_.pick({"a ", "b ", "c "}) + limit.to_string();
    const Cost cost = random_.between(-1, 4);
    const std::int64_t dice = random_.between(0, 9);
    if (dice < 5) {
      EXPECT_EQ(a_.take(key, limit, cost), b_.take(key, limit, cost));
    } else if (dice < 6) {
      EXPECT_EQ(a_.check(key, limit, cost), b_.check(key, limit, cost));
    } else if (dice < 8) {
      const std::vector<Take> takes{{.key = key, .limit = limit, .cost = cost},
                                    {.key = "d", .limit = kFive}};
      EXPECT_EQ(a_.take(takes), b_.take(takes));
    } else if (dice < 9) {
      EXPECT_EQ(failure_of(a_.give_back(key, limit, cost)),
                failure_of(b_.give_back(key, limit, cost)));
    } else {
      EXPECT_EQ(failure_of(a_.reset(key)), failure_of(b_.reset(key)));
    }
  }

 private:
  Limiter& a_;
  Limiter& b_;
  Random& random_;
};

TEST_F(LimiterTest, Answers_alike_whether_its_store_is_late_or_not) {
  Random random{first_seed()};
  Pair pair{direct_, blocking_, random};
  for (int i = 0; i < 5'000 && !HasFailure(); ++i) {
    pair.call();
    clock_.advance(Duration{random.between(0, 9'000'000)});
  }
  if (HasFailure()) ADD_FAILURE() << how_to_repeat(first_seed());
}

}  // namespace
}  // namespace tidegate::test
