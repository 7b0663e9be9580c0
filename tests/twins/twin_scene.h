// The fixture that sends random traces through the script, and compares.
//
// One batch in a hundred goes call by call, as a store would ask; the others run whole in Redis.
// Cost: some 40 us a step.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_print.h"
#include "tests/twins/calls.h"
#include "tests/twins/random_trace.h"
#include "tests/twins/trace.h"

namespace tidegate::test {

class TwinScene : public ::testing::Test {
 protected:
  void expect_equal_answers(const TracePlan& plan) {
    for_each_trace(4, [&](Random& random) {
      redis_.ask({"FLUSHALL"});
      RandomTrace trace{random, plan};
      for (int done = 0; done < kSteps && !HasFailure(); done += kBatch) {
        std::vector<Step> steps;
        for (int i = 0; i < kBatch; ++i) steps.push_back(trace.next());
        compare(steps, done);
        expect_a_ttl_everywhere();
      }
    });
    EXPECT_GT(decisions_, std::uint64_t{kSteps} / 2);
  }

  void expect_a_ttl_everywhere() {
    const RedisReply keys = redis_.ask({"KEYS", "*"});
    for (const RedisReply& key : keys.elements)
      EXPECT_NE(redis_.ask({"PTTL", key.text}).integer, -1) << key.text;
  }

  RedisServer redis_;
  Script script_{redis_};

 private:
  static constexpr int kSteps = 4'000;  // of one trace
  static constexpr int kBatch = 1'000;
  static constexpr std::size_t kBatchesUntilRealPath = 100;

  std::vector<RedisReply> answers_to(const std::vector<Step>& steps) {
    std::vector<Call> calls;
    for (const Step& step : steps) calls.push_back(step.call);
    if (++batches_ % kBatchesUntilRealPath != 5) return driver_.run(calls);
    std::vector<RedisReply> replies;
    for (const Call& call : calls) replies.push_back(script_.run(call));
    return replies;
  }

  void compare(const std::vector<Step>& steps, int done) {
    const std::vector<RedisReply> replies = answers_to(steps);
    ASSERT_EQ(replies.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      if (step.takes.empty()) continue;
      decisions_ += step.takes.size();
      ASSERT_EQ(verdict_of(replies[i], step.takes), step.expected)
          << "step " << static_cast<std::size_t>(done) + i << ": " << told(step);
    }
  }

  static std::string told(const Step& step) {
    std::string text;
    for (const std::string& word : step.call.keys) text += '"' + word + "\" ";
    for (const std::string& word : step.call.arguments) text += word + ' ';
    return text;
  }

  TraceDriver driver_{redis_};
  std::size_t batches_ = 0;
  std::uint64_t decisions_ = 0;
};

}  // namespace tidegate::test
