// What takes are answered while their store is away, each by its own policy.
#include "tidegate/store/failover.h"

#include <gtest/gtest.h>

#include "tidegate/algorithm/limit_grammar.h"
#include "tidegate/base/clock.h"
#include "tidegate/store/memory/memory_store.h"

namespace tidegate {
namespace {

constexpr Limit kTwo = "2/min"_limit;
const Error kWhy{"redis://127.0.0.1:1", "it is away"};

class FailoverTest : public testing::Test {
 protected:
  static Take take(std::string_view key, OnStoreError policy) {
    return {.key = key, .limit = kTwo, .on_store_error = policy};
  }

  // The answer to these takes when the store's own choice is to allow.
  const TakeOp& answer(std::vector<Take> takes, Charge charge = Charge::kAllOrNothing) {
    takes_ = std::move(takes);
    op_ = {.takes = takes_, .charge = charge, .complete = [](TakeOp&) {}};
    failover_.answer(op_, kWhy);
    return op_;
  }
  bool allows(OnStoreError policy) { return answer({take("k", policy)}).verdict.allowed; }

  ManualClock clock_;
  MemoryStore local_{{}, clock_};
  Failover failover_{{.on_store_error = OnStoreError::kAllow, .local = &local_}, clock_};
  std::vector<Take> takes_;
  TakeOp op_;
};

TEST_F(FailoverTest, Answers_by_the_policy_of_the_take_before_that_of_the_store) {
  EXPECT_TRUE(allows(OnStoreError::kStoresChoice));
  EXPECT_FALSE(allows(OnStoreError::kDeny));
  EXPECT_EQ(op_.verdict.bound().retry_after, Failover::kRetryAfter);
  answer({take("k", OnStoreError::kAllow), take("l", OnStoreError::kError)});
  EXPECT_EQ(op_.error, kWhy);
}

TEST_F(FailoverTest, Decides_locally_by_a_store_of_this_process) {
  EXPECT_TRUE(allows(OnStoreError::kLocal));
  EXPECT_TRUE(allows(OnStoreError::kLocal));
  EXPECT_FALSE(allows(OnStoreError::kLocal));
  EXPECT_TRUE(op_.verdict.degraded);
  EXPECT_EQ(op_.verdict.bound().retry_after, std::chrono::minutes{1});
  EXPECT_EQ(local_.counters().keys, 1U);
}

TEST_F(FailoverTest, Charges_nothing_locally_when_another_take_denies) {
  const std::vector<Take> both = {take("k", OnStoreError::kLocal), take("l", OnStoreError::kDeny)};
  EXPECT_FALSE(answer(both).verdict.allowed);
  EXPECT_EQ(op_.verdict.binding, 1U);
  EXPECT_EQ(local_.counters().keys, 0U);
  answer(both, Charge::kEach);
  EXPECT_EQ(local_.counters().keys, 1U);
}

TEST_F(FailoverTest, Allows_locally_without_a_store_to_decide) {
  const Failover alone{{}, clock_};
  const Take one = take("k", OnStoreError::kLocal);
  for (int i = 0; i < 3; ++i) {
    TakeOp op{.takes = {&one, 1}, .complete = [](TakeOp&) {}};
    alone.answer(op, kWhy);
    EXPECT_TRUE(op.verdict.allowed);
  }
}

}  // namespace
}  // namespace tidegate
