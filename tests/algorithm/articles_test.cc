// The small rate limiters that this project grew from, written down as literally as their faults
// allow, against the algorithm that replaces each: the same calls, the same answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <list>
#include <set>
#include <string>
#include <vector>

#include "tests/support/key.h"
#include "tests/support/random.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;

// A sorted set of hits per user and action. Repaired: hits of one instant are two members, and a
// hit is added only when it passes.
class SortedSetWindow {
 public:
  SortedSetWindow(std::int64_t most, Duration period) : most_{most}, period_{period} {}

  bool pass(Time now) {
    hits_.erase(hits_.begin(), hits_.upper_bound(now - period_));        // ZREMRANGEBYSCORE
    if (static_cast<std::int64_t>(hits_.size()) >= most_) return false;  // ZCARD
    hits_.insert(now);                                                   // ZADD
    return true;
  }

 private:
  std::int64_t most_;
  Duration period_;
  std::multiset<Time> hits_;
};

// SETNX, INCR and EXPIRE. Repaired: one step, so that the expiry is always there.
class ExpiringCounter {
 public:
  ExpiringCounter(std::int64_t most, Duration period) : most_{most}, period_{period} {}

  bool pass(Time now) {
    if (now >= expires_) {
      expires_ = now + period_;
      count_ = 0;
    }
    if (count_ >= most_) return false;
    ++count_;
    return true;
  }

 private:
  std::int64_t most_;
  Duration period_;
  Time expires_{};
  std::int64_t count_ = 0;
};

// A sorted set with members of random names. Repaired: checks and adds in one step, stops at 5 and
// not at 6, and is trimmed.
class NamedHits {
 public:
  NamedHits(std::int64_t most, Duration period) : most_{most}, period_{period} {}

  bool pass(Time now) {
    std::erase_if(hits_, [&](const Hit& hit) { return hit.score <= now - period_; });
    if (static_cast<std::int64_t>(hits_.size()) >= most_) return false;
    hits_.push_back({now, "uuid-" + std::to_string(next_++)});
    return true;
  }

 private:
  struct Hit {
    Time score;
    std::string member;
  };
  std::int64_t most_;
  Duration period_;
  std::int64_t next_ = 0;
  std::vector<Hit> hits_;
};

// A list of tokens and a job that pushes `batch` at every multiple of the period. Repaired: one
// scheduler, and the list is capped.
class ScheduledTokens {
 public:
  ScheduledTokens(std::int64_t batch, Duration period, std::int64_t cap, Time start)
      : batch_{batch}, period_{period}, cap_{cap}, tokens_(static_cast<std::size_t>(cap)) {
    next_ = start - start.time_since_epoch() % period + period;
  }

  bool pass(Time now, std::int64_t cost) {
    for (; next_ <= now; next_ += period_) run_job();
    if (static_cast<std::int64_t>(tokens_.size()) < cost) return false;
    for (; cost > 0; --cost) tokens_.pop_front();  // LPOP
    return true;
  }

 private:
  void run_job() {
    for (std::int64_t i = 0; i < batch_; ++i)
      if (static_cast<std::int64_t>(tokens_.size()) < cap_) tokens_.push_back('t');  // RPUSH
  }

  std::int64_t batch_;
  Duration period_;
  std::int64_t cap_;
  Time next_;
  std::deque<char> tokens_;
};

// The times of the last N passes, newest first. Repaired: a pass exactly one period old is out.
class PassQueue {
 public:
  PassQueue(std::int64_t most, Duration period) : most_{most}, period_{period} {}

  bool pass(Time now) {
    if (static_cast<std::int64_t>(passes_.size()) == most_) {
      if (passes_.back() > now - period_) return false;
      passes_.pop_back();
    }
    passes_.push_front(now);
    return true;
  }

 private:
  std::int64_t most_;
  Duration period_;
  std::list<Time> passes_;
};

// Time that stands, creeps, jumps to where something changes, or sleeps.
Duration some_time(Random& random, Duration period, const Decision& last) {
  switch (random.between(0, 5)) {
    case 0:
      return Duration{random.between(0, period.count() / 5)};
    case 1:
      return last.allowed ? last.reset_after : last.retry_after;
    case 2:
      return std::max(Duration{0}, last.retry_after - 1us);
    case 3:
      return random.pick({period - 1us, period, period + 1us, 2 * period});
    default:
      return random.chance(50) ? 0us : 1us;
  }
}

template <class Model>
void expect_same_answers(std::string_view limit, Model model) {
  for_each_trace(300, [&](Random& random) {
    Key key{limit, kMidnight + Duration{random.between(0, 86'400'000'000)}};
    Model fresh = model;
    Decision last;
    for (int i = 0; i < 300 && !testing::Test::HasFailure(); ++i) {
      key.advance(some_time(random, key.limit().period(), last));
      last = key.take();
      EXPECT_EQ(last.allowed, fresh.pass(key.now())) << "call " << i;
    }
  });
}

TEST(ArticleSortedSet, Passes_5_of_15_calls_a_millisecond_apart_or_at_once) {
  for (const Duration apart : {Duration{1ms}, Duration{0}}) {
    Key key{"5/60s"};
    SortedSetWindow model{5, 60s};
    for (int i = 0; i < 15; ++i, key.advance(apart)) {
      EXPECT_EQ(model.pass(key.now()), i < 5);
      EXPECT_EQ(key.take().allowed, i < 5);
    }
  }
}

TEST(ArticleSortedSet, Is_left_as_it_was_by_refused_calls) {
  Key key{"5/60s"};
  key.take(5);
  const AnyState before = key.state();
  EXPECT_EQ(key.advance(1ms).admitted_of(1000, 1ms), 0);
  EXPECT_EQ(key.state(), before);
  EXPECT_TRUE(key.at(60s).take().allowed) << "however often it tried";
}

TEST(ArticleSortedSet, Is_sliding_window) {
  expect_same_answers("5/60s", SortedSetWindow{5, 60s});
  expect_same_answers("1/ms", SortedSetWindow{1, 1ms});
  expect_same_answers("100/s", SortedSetWindow{100, 1s});
}

TEST(ArticleExpiringCounter, Is_fixed_window_when_started_on_its_edge) {
  for_each_trace(300, [](Random& random) {
    Key key{"20/10s algorithm fixed_window"};
    ExpiringCounter model{20, 10s};
    for (int window = 0; window < 10; ++window) {
      Duration within{0};  // the first call of each window is on its edge
      for (std::int64_t calls = random.between(1, 60); calls > 0 && within < 10s; --calls) {
        key.at(window * 10s + within);
        EXPECT_EQ(key.take().allowed, model.pass(key.now())) << window << ", " << within.count();
        within += Duration{random.chance(30) ? 0 : random.between(0, 800'000)};
      }
    }
  });
}

TEST(ArticleExpiringCounter, Passes_20_in_10s_and_double_across_the_edge) {
  Key key{"20/10s algorithm fixed_window"};
  EXPECT_EQ(key.at(9s).admitted_of(30), 20);
  EXPECT_EQ(key.at(10s).admitted_of(30), 20);
  Key sliding{"20/10s"};
  EXPECT_EQ(sliding.at(9s).admitted_of(30), 20);
  EXPECT_EQ(sliding.at(10s).admitted_of(30), 0);
}

TEST(ArticleNamedHits, Passes_exactly_5_a_minute) {
  Key key{"5/min"};
  EXPECT_EQ(key.admitted_of(100), 5) << "and not 6";
}

TEST(ArticleNamedHits, Is_sliding_window) {
  expect_same_answers("5/min", NamedHits{5, 1min});
}

TEST(ArticleScheduledTokens, Is_token_bucket_with_refill_interval) {
  for_each_trace(500, [](Random& random) {
    const std::int64_t batch = random.pick<std::int64_t>({1, 1, 2, 5});
    const std::int64_t cap = random.pick<std::int64_t>({1, 2, 5, 12});
    const Limit limit = limit_of({.tokens = static_cast<std::uint64_t>(batch),
                                  .period = 10s,
                                  .algorithm = Algorithm::kTokenBucket,
                                  .burst = static_cast<std::uint64_t>(cap),
                                  .refill = Refill::kInterval});
    Key key{limit, kMidnight + Duration{random.between(0, 10'000'000)}};
    ScheduledTokens model{batch, 10s, cap, key.now()};
    Decision last;
    for (int i = 0; i < 200 && !testing::Test::HasFailure(); ++i) {
      const Cost cost = random.between(1, cap);
      key.advance(some_time(random, 10s, last));
      last = key.take(cost);
      EXPECT_EQ(last.allowed, model.pass(key.now(), cost)) << "call " << i;
    }
  });
}

TEST(ArticleScheduledTokens, Does_not_grow_without_bound_when_idle) {
  Key key{"1/10s burst 5 refill interval"};
  key.take(5);
  EXPECT_EQ(key.at(24h).admitted_of(100), 5);
}

TEST(ArticlePassQueue, Follows_the_article_to_the_tenth_of_a_second) {
  Key key{"5/10s"};
  for (const Duration pass :
       {Duration{1s}, Duration{2800ms}, Duration{4s}, Duration{5500ms}, Duration{7s}})
    EXPECT_TRUE(key.at(pass).take().allowed);
  EXPECT_FALSE(key.at(8s).take().allowed);
  for (Duration t = 8s; t < 11s; t += 10ms) ASSERT_FALSE(key.at(t).take().allowed);
  EXPECT_TRUE(key.at(11'100ms).take().allowed);
  EXPECT_FALSE(key.at(11'100ms).take().allowed);
  EXPECT_FALSE(key.at(12'799ms).take().allowed);
  EXPECT_TRUE(key.at(12'800ms).take().allowed);
}

TEST(ArticlePassQueue, Is_sliding_window) {
  expect_same_answers("5/10s", PassQueue{5, 10s});
  expect_same_answers("2/10s", PassQueue{2, 10s});
}

TEST(ArticlePassQueue, Passes_at_most_2_in_any_10s_under_random_sleeps) {
  for_each_trace(300, [](Random& random) {
    Key key{"2/10s"};
    std::deque<Time> passes;
    for (int i = 0; i < 300; ++i) {
      if (key.take().allowed) passes.push_back(key.now());
      while (!passes.empty() && passes.front() <= key.now() - 10s) passes.pop_front();
      ASSERT_LE(passes.size(), 2U);
      key.advance(Duration{random.between(0, 10'000'000)});
    }
  });
}

}  // namespace
}  // namespace tidegate::test
