#include "tests/support/delayed_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "tests/support/store_print.h"
#include "tests/support/store_reference.h"

namespace tidegate::test {
namespace {

constexpr Limit kHundred = "100/60s"_limit;

// Takes that note the order of their completions.
class DelayedStoreTest : public ::testing::Test {
 protected:
  struct Noted : TakeOp {
    explicit Noted(TakeOp op) : TakeOp{op} {
      complete = [](TakeOp& op) {
        auto& self = static_cast<Noted&>(op);
        self.test->completed.push_back(self.number);
        if (self.then) self.then();
      };
    }
    DelayedStoreTest* test = nullptr;
    int number = 0;
    std::function<void()> then;
  };

  Noted& submit(DelayedStore& store) {
    ops.push_back(std::make_unique<Noted>(TakeOp{.takes = one}));
    ops.back()->test = this;
    ops.back()->number = static_cast<int>(ops.size()) - 1;
    store.submit(static_cast<TakeOp&>(*ops.back()));
    return *ops.back();
  }

  ManualClock clock;
  ReferenceStore behind{clock};
  const std::vector<Take> one{{.key = "k", .limit = kHundred}};
  std::vector<std::unique_ptr<Noted>> ops;
  std::vector<int> completed;
};

TEST_F(DelayedStoreTest, Decides_nothing_before_it_is_run) {
  DelayedStore store{behind, 1};
  submit(store);
  EXPECT_EQ(behind.keys(), 0U);
  EXPECT_EQ(store.waiting(), 1U);
  EXPECT_TRUE(store.run_one());  // decided
  EXPECT_EQ(behind.keys(), 1U);
  EXPECT_TRUE(completed.empty());
  EXPECT_TRUE(store.run_one());  // completed
  EXPECT_EQ(completed.size(), 1U);
  EXPECT_FALSE(store.run_one());
  EXPECT_EQ(store.waiting(), 0U);
}

TEST_F(DelayedStoreTest, Hands_over_the_answer_of_the_store_behind) {
  DelayedStore store{behind, 1};
  Noted& op = submit(store);
  store.run_all();
  ASSERT_EQ(op.verdict.decisions.size(), 1U);
  EXPECT_TRUE(op.verdict.allowed);
  EXPECT_EQ(op.verdict.decisions[0].remaining, 99U);
  EXPECT_EQ(op.verdict.decisions[0].at, clock.now());
  const std::vector<Take> bad{{.key = "k", .limit = kHundred, .cost = -1}};
  op.takes = bad;
  store.submit(static_cast<TakeOp&>(op));
  store.run_all();
  EXPECT_TRUE(op.error.has_value());
}

TEST_F(DelayedStoreTest, Completes_each_once_and_out_of_order) {
  DelayedStore store{behind, 7};
  for (int i = 0; i < 50; ++i) submit(store);
  EXPECT_EQ(store.run_all(), 100U);
  EXPECT_EQ(completed.size(), 50U);
  EXPECT_FALSE(std::is_sorted(completed.begin(), completed.end()));
  std::sort(completed.begin(), completed.end());
  for (int i = 0; i < 50; ++i) EXPECT_EQ(completed[static_cast<std::size_t>(i)], i);
}

TEST_F(DelayedStoreTest, Decides_in_another_order_than_it_completes) {
  DelayedStore store{behind, 7};
  for (int i = 0; i < 50; ++i) submit(store);
  store.run_all();
  std::vector<std::uint32_t> left;
  for (const int i : completed)
    left.push_back(ops[static_cast<std::size_t>(i)]->verdict.decisions[0].remaining);
  EXPECT_FALSE(std::is_sorted(left.rbegin(), left.rend()));
}

TEST_F(DelayedStoreTest, Repeats_its_order_under_the_same_seed) {
  std::vector<std::vector<int>> orders;
  for (const std::uint64_t seed : {3U, 3U, 4U}) {
    ops.clear();
    completed.clear();
    DelayedStore store{behind, seed};
    for (int i = 0; i < 20; ++i) submit(store);
    store.run_all();
    orders.push_back(completed);
  }
  EXPECT_EQ(orders[0], orders[1]);
  EXPECT_NE(orders[0], orders[2]);
}

TEST_F(DelayedStoreTest, Lets_a_completion_submit_again) {
  DelayedStore store{behind, 1};
  submit(store).then = [&] { submit(store); };
  store.run_all();
  EXPECT_EQ(completed, (std::vector<int>{0, 1}));
}

TEST_F(DelayedStoreTest, Runs_what_waits_at_its_end) {
  {
    DelayedStore store{behind, 1};
    for (int i = 0; i < 5; ++i) submit(store);
    store.run_one();
  }
  EXPECT_EQ(completed.size(), 5U);
}

TEST_F(DelayedStoreTest, Completes_gives_back_and_resets_as_well) {
  DelayedStore store{behind, 1};
  submit(store);
  store.run_all();
  int done = 0;
  struct Back : GiveBackOp {
    int* done;
  } back{{.key = "k", .limit = kHundred}, &done};
  back.complete = [](GiveBackOp& op) { ++*static_cast<Back&>(op).done; };
  store.submit(static_cast<GiveBackOp&>(back));
  store.run_all();
  EXPECT_EQ(done, 1);
  struct Forget : ResetOp {
    int* done;
  } forget{{.key = "k"}, &done};
  forget.complete = [](ResetOp& op) { ++*static_cast<Forget&>(op).done; };
  store.submit(static_cast<ResetOp&>(forget));
  store.run_all();
  EXPECT_EQ(done, 2);
  EXPECT_EQ(behind.keys(), 0U);
}

TEST_F(DelayedStoreTest, Completes_on_its_own_thread_when_it_has_one) {
  struct Waited : TakeOp {
    std::atomic<bool> done{false};
    std::thread::id thread;
  } op;
  op.takes = one;
  op.complete = [](TakeOp& op) {
    auto& self = static_cast<Waited&>(op);
    self.thread = std::this_thread::get_id();
    self.done = true;
    self.done.notify_one();
  };
  DelayedStore store{behind, 1};
  store.start_thread();
  store.submit(static_cast<TakeOp&>(op));
  op.done.wait(false);
  EXPECT_NE(op.thread, std::this_thread::get_id());
  EXPECT_TRUE(op.verdict.allowed);
}

}  // namespace
}  // namespace tidegate::test
