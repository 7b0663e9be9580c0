// Takes that say what their keys look like in Redis, beside others that leave it to the store.
#include <gtest/gtest.h>

#include <string>

#include "tests/redis/harness.h"
#include "tests/support/redis_server.h"
#include "tidegate/algorithm/limit_grammar.h"

namespace tidegate::test {
namespace {

constexpr Limit kSliding = "2/min"_limit;
constexpr Limit kFixed = "2/min algorithm fixed_window"_limit;

class RedisLayout : public testing::Test {
 protected:
  // The answer to takes of one request.
  Verdict take(std::vector<Take> takes) {
    TakeOp op{.takes = takes, .complete = [](TakeOp&) {}};
    harness_->store().submit(op);
    harness_->run();
    EXPECT_FALSE(op.error) << op.error->message();
    return op.verdict;
  }

  // The type of the key that ends so.
  std::string type(const std::string& end) {
    for (const RedisReply& name : redis_.ask({"KEYS", "*" + end}).elements)
      return redis_.ask({"TYPE", name.text}).text;
    return "none";
  }

  RedisServer redis_;
  std::unique_ptr<StoreHarness> harness_ = redis_harness(redis_options(redis_.url()));
};

TEST_F(RedisLayout, Of_a_take_counts_before_that_of_the_store) {
  harness_->set_now(Time{std::chrono::seconds{1'700'000'000}});
  const std::vector<Take> takes = {{.key = "z", .limit = kSliding, .layout = Layout::kZset},
                                   {.key = "l", .limit = kSliding, .layout = Layout::kList},
                                   {.key = "c", .limit = kFixed, .layout = Layout::kCounter},
                                   {.key = "own", .limit = kSliding}};
  EXPECT_TRUE(take(takes).allowed);
  EXPECT_TRUE(take(takes).allowed);
  EXPECT_FALSE(take(takes).allowed);
  EXPECT_EQ(type(":z"), "zset");
  EXPECT_EQ(type(":l"), "list");
  EXPECT_EQ(redis_.ask({"GET", redis_.ask({"KEYS", "*:c*"}).elements.at(0).text}).text, "2");
  EXPECT_EQ(type("{own}:sliding_window"), "string");
}

}  // namespace
}  // namespace tidegate::test
