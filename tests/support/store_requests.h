// What a request of several takes means, for every store.
//
// A part of the conformance suite; include conformance.h.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/store_limits.h"
#include "tests/support/store_scene.h"

namespace tidegate::test {

class StoreRequest : public StoreScene, public ::testing::WithParamInterface<StoreCase> {
 protected:
  static constexpr Limit kFive = "5/60s"_limit;
  static constexpr Limit kFiveFixed = "5/60s algorithm fixed_window"_limit;
  static constexpr Limit kTen = "10/60s burst 10"_limit;
  static constexpr Request kEach{.charge = Charge::kEach};
  static constexpr Request kCheckOnly{.check_only = true};

  void SetUp() override { open(GetParam()); }

  static Take a_take(std::string_view key, const Limit& limit, Cost cost = 1,
                     Role role = Role::kBinding) {
    return {.key = key, .limit = limit, .cost = cost, .role = role};
  }
};

TEST_P(StoreRequest, Admitted_charges_every_take) {
  const Verdict verdict = request({a_take("a", kFive, 2), a_take("b", kFiveFixed, 3),
                                   a_take("c", kTen, 4), a_take("d", kFive, 0)});
  EXPECT_TRUE(verdict.allowed);
  for (const Decision& decision : verdict.decisions) EXPECT_TRUE(decision.allowed);
  EXPECT_EQ(verdict.decisions[0].remaining, 3U);
  EXPECT_EQ(remaining("a", kFive), 3U);
  EXPECT_EQ(remaining("b", kFiveFixed), 2U);
  EXPECT_EQ(remaining("c", kTen), 6U);
  EXPECT_EQ(remaining("d", kFive), 5U);
}

TEST_P(StoreRequest, One_denial_charges_nothing_in_any_order) {
  use_up("spent", kFiveFixed);
  std::array<int, 3> order{0, 1, 2};
  const std::vector<Take> takes{a_take("spent", kFiveFixed), a_take("a", kFive, 2),
                                a_take("c", kTen, 3)};
  do {
    std::vector<Take> ordered;
    for (const int i : order) ordered.push_back(takes[static_cast<std::size_t>(i)]);
    const Verdict verdict = request(ordered);
    EXPECT_FALSE(verdict.allowed);
    EXPECT_EQ(ordered[verdict.binding].key, "spent");
    EXPECT_EQ(remaining("a", kFive), 5U);
    EXPECT_EQ(remaining("c", kTen), 10U);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_P(StoreRequest, A_take_that_alone_would_be_admitted_says_so_though_nothing_was_charged) {
  use_up("spent", kFive);
  EXPECT_TRUE(take("a", kFive, 1).allowed);
  const Decision before = check("a", kFive, 0);
  const Verdict verdict = request({a_take("a", kFive, 2), a_take("spent", kFive)});
  EXPECT_FALSE(verdict.allowed);
  const Decision& would_do = verdict.decisions[0];
  EXPECT_TRUE(would_do.allowed);
  EXPECT_EQ(would_do.retry_after, Duration{0});
  EXPECT_EQ(would_do.remaining, before.remaining);
  EXPECT_EQ(would_do.reset_after, before.reset_after);
  EXPECT_EQ(verdict.decisions[1], check("spent", kFive));
}

TEST_P(StoreRequest, All_takes_are_decided_at_one_instant) {
  advance(std::chrono::milliseconds{123});
  std::vector<std::string> keys;
  for (int i = 0; i < 20; ++i) keys.push_back("key " + std::to_string(i));
  std::vector<Take> takes;
  for (const std::string& key : keys) takes.push_back(a_take(key, kFive));
  for (const Decision& decision : request(takes).decisions) EXPECT_EQ(decision.at, now());
}

TEST_P(StoreRequest, A_shadow_take_never_denies) {
  use_up("spent", kFive);
  const Verdict verdict = request({a_take("spent", kFive, 1, Role::kShadow), a_take("a", kFive)});
  EXPECT_TRUE(verdict.allowed);
  EXPECT_FALSE(verdict.decisions[0].allowed);
  EXPECT_EQ(verdict.binding, 1U);
  EXPECT_EQ(remaining("a", kFive), 4U);
}

TEST_P(StoreRequest, A_shadow_take_is_charged_when_it_fits_and_the_whole_is_admitted) {
  use_up("spent", kFive);
  request({a_take("shadow", kFive, 2, Role::kShadow), a_take("a", kFive)});
  EXPECT_EQ(remaining("shadow", kFive), 3U);
  request({a_take("shadow", kFive, 2, Role::kShadow), a_take("spent", kFive)});
  EXPECT_EQ(remaining("shadow", kFive), 3U);
  request({a_take("shadow", kFive, 4, Role::kShadow), a_take("a", kFive)});
  EXPECT_EQ(remaining("shadow", kFive), 3U);
  EXPECT_EQ(remaining("a", kFive), 3U);
}

TEST_P(StoreRequest, A_quota_denies_only_when_every_quota_does) {
  use_up("day", kFive);
  const std::vector<Take> takes{a_take("day", kFive, 1, Role::kQuota),
                                a_take("extra", kFive, 2, Role::kQuota), a_take("a", kTen)};
  EXPECT_TRUE(request(takes).allowed);
  EXPECT_EQ(remaining("extra", kFive), 3U);
  EXPECT_TRUE(request(takes).allowed);
  EXPECT_FALSE(request(takes).allowed);
  EXPECT_EQ(remaining("extra", kFive), 1U);
  EXPECT_EQ(remaining("a", kTen), 8U);
}

TEST_P(StoreRequest, A_binding_denial_outweighs_quotas) {
  use_up("spent", kFive);
  EXPECT_FALSE(request({a_take("quota", kFive, 1, Role::kQuota), a_take("spent", kFive)}).allowed);
  EXPECT_EQ(remaining("quota", kFive), 5U);
}

TEST_P(StoreRequest, Charge_each_charges_whatever_fits) {
  use_up("spent", kFive);
  const Verdict verdict =
      request({a_take("a", kFive, 2), a_take("spent", kFive),
               a_take("shadow", kFive, 3, Role::kShadow), a_take("too much", kFive, 6)},
              kEach);
  EXPECT_FALSE(verdict.allowed);
  EXPECT_EQ(verdict.decisions[0].remaining, 3U);
  EXPECT_EQ(remaining("a", kFive), 3U);
  EXPECT_EQ(remaining("shadow", kFive), 2U);
  EXPECT_EQ(remaining("too much", kFive), 5U);
}

TEST_P(StoreRequest, The_costs_of_one_identity_are_summed) {
  const std::vector<Take> four{a_take("a", kFive, 1), a_take("a", kFive, 3)};
  const Verdict verdict = request(four);
  EXPECT_TRUE(verdict.allowed);
  for (const Decision& decision : verdict.decisions) EXPECT_EQ(decision.remaining, 1U);
  EXPECT_FALSE(request(four).allowed);
  EXPECT_FALSE(request({a_take("a", kFive, 1), a_take("b", kTen), a_take("a", kFive, 1)}).allowed);
  EXPECT_EQ(remaining("a", kFive), 1U);
  EXPECT_EQ(remaining("b", kTen), 10U);
  EXPECT_TRUE(request({a_take("a", kFive, 0), a_take("a", kFive, 1)}).allowed);
}

TEST_P(StoreRequest, Costs_that_sum_beyond_any_number_are_never) {
  constexpr Cost kMost = std::numeric_limits<Cost>::max();
  const Verdict verdict = request({a_take("a", kFive, kMost), a_take("a", kFive, kMost)});
  EXPECT_FALSE(verdict.allowed);
  for (const Decision& decision : verdict.decisions) EXPECT_EQ(decision.retry_after, kNever);
  EXPECT_EQ(remaining("a", kFive), 5U);
}

TEST_P(StoreRequest, Two_limits_on_one_identity_are_an_error_that_names_both) {
  constexpr Limit kSeven = "7/60s"_limit;
  const Error refused = refusal({a_take("b", kTen), a_take("a", kFive), a_take("a", kSeven)});
  EXPECT_NE(refused.message().find("\"a\""), std::string::npos) << refused.message();
  EXPECT_NE(refused.message().find("5/min"), std::string::npos) << refused.message();
  EXPECT_NE(refused.message().find("7/min"), std::string::npos) << refused.message();
  EXPECT_EQ(remaining("a", kFive), 5U);
  EXPECT_EQ(remaining("b", kTen), 10U);
}

TEST_P(StoreRequest, Two_algorithms_on_one_key_are_two_states) {
  EXPECT_TRUE(request({a_take("a", kFive, 2), a_take("a", kFiveFixed, 4)}).allowed);
  EXPECT_EQ(remaining("a", kFive), 3U);
  EXPECT_EQ(remaining("a", kFiveFixed), 1U);
}

TEST_P(StoreRequest, Check_only_says_what_the_take_then_gets) {
  take("a", kFive, 2);
  const std::vector<Take> takes{a_take("a", kFive, 2), a_take("b", kTen, 7),
                                a_take("s", kFiveFixed, 3, Role::kShadow)};
  for (int i = 0; i < 3; ++i) {
    const Verdict foretold = request(takes, kCheckOnly);
    EXPECT_EQ(request(takes, kCheckOnly), foretold);
    EXPECT_EQ(request(takes), foretold);
  }
}

TEST_P(StoreRequest, Check_only_does_not_even_repair) {
  use_up("spent", kFive);
  advance(-std::chrono::hours{1});
  const std::vector<Take> takes{a_take("spent", kFive), a_take("a", kFive)};
  const Duration first = request(takes, kCheckOnly).decisions[0].retry_after;
  advance(std::chrono::seconds{1});
  EXPECT_EQ(request(takes, kCheckOnly).decisions[0].retry_after, first);
  EXPECT_EQ(request(takes).decisions[0].retry_after, first);
  advance(std::chrono::seconds{1});
  EXPECT_EQ(request(takes).decisions[0].retry_after, first - Duration{std::chrono::seconds{1}});
}

TEST_P(StoreRequest, The_longest_wait_binds_a_denial) {
  use_up("now", kFive);
  advance(std::chrono::seconds{20});
  use_up("later", kFive);
  advance(std::chrono::seconds{1});
  const auto binding = [&](const std::vector<Take>& takes) { return request(takes).binding; };
  EXPECT_EQ(binding({a_take("a", kFive), a_take("now", kFive), a_take("later", kFive)}), 2U);
  EXPECT_EQ(binding({a_take("later", kFive), a_take("now", kFive), a_take("a", kFive)}), 0U);
  EXPECT_EQ(binding({a_take("later", kFive), a_take("never", kFive, 6)}), 1U);
  EXPECT_EQ(binding({a_take("later", kFive, 1, Role::kShadow), a_take("now", kFive)}), 1U);
}

TEST_P(StoreRequest, The_least_remaining_binds_an_admission) {
  take("fewest", kFive, 3);
  const std::vector<Take> takes{a_take("a", kFive), a_take("fewest", kFive), a_take("b", kTen)};
  const Verdict verdict = request(takes);
  EXPECT_EQ(verdict.binding, 1U);
  EXPECT_EQ(verdict.bound().remaining, 1U);
  EXPECT_EQ(request({a_take("fewest", kFive, 1, Role::kShadow), a_take("b", kTen)}).binding, 1U);
  EXPECT_EQ(request({a_take("b", kTen, 1, Role::kShadow)}).binding, 0U);
}

TEST_P(StoreRequest, From_1_to_128_takes) {
  const std::vector<std::string> keys(129, "k");
  std::vector<Take> takes(kMaxTakes, a_take("k", "1000/60s"_limit));
  EXPECT_TRUE(request(takes).allowed);
  EXPECT_EQ(remaining("k", "1000/60s"_limit), 1000U - 128U);
  takes.push_back(takes.front());
  EXPECT_NE(refusal(takes).message().find("129"), std::string::npos);
  EXPECT_NE(refusal({}).message().find("got 0"), std::string::npos);
  EXPECT_EQ(remaining("k", "1000/60s"_limit), 1000U - 128U);
}

TEST_P(StoreRequest, Errors_leave_every_state_as_it_was) {
  take("a", kFive, 2);
  const std::string long_key(kMaxKeyBytes + 1, 'k');
  for (const Request how : {Request{}, kEach, kCheckOnly}) {
    EXPECT_NE(refusal({a_take("a", kFive), a_take("b", kTen, -1)}, how), Error{});
    EXPECT_NE(refusal({a_take("a", kFive), a_take(long_key, kTen)}, how), Error{});
    EXPECT_NE(refusal({a_take("a", kFive, std::numeric_limits<Cost>::min())}, how), Error{});
  }
  EXPECT_EQ(remaining("a", kFive), 3U);
  EXPECT_EQ(remaining("b", kTen), 10U);
}

TEST_P(StoreRequest, An_operation_may_be_used_again) {
  const std::vector<Take> bad{a_take("a", kFive, -1)};
  const std::vector<Take> three{a_take("a", kFive), a_take("b", kTen), a_take("c", kTen)};
  const std::vector<Take> one{a_take("c", kTen)};
  Counted<TakeOp> op{{.takes = three}};
  submit_to(harness(), op);
  op.takes = bad;
  submit_to(harness(), op);
  EXPECT_TRUE(op.error.has_value());
  op.takes = one;
  submit_to(harness(), op);
  EXPECT_EQ(op.error, std::nullopt);
  ASSERT_EQ(op.verdict.decisions.size(), 1U);
  EXPECT_EQ(op.verdict.decisions[0].remaining, 8U);
  EXPECT_EQ(op.completions, 3);
}

TEST_P(StoreRequest, Many_in_flight_each_complete_once) {
  Random random{first_seed()};
  const std::vector<std::string> keys{"a", "b", "c"};
  const std::vector<Take> bad{a_take("a", kFive, -1)};
  std::vector<std::vector<Take>> takes(300);
  std::vector<std::unique_ptr<Counted<TakeOp>>> asked;
  std::vector<std::unique_ptr<Counted<GiveBackOp>>> returned;
  std::vector<std::unique_ptr<Counted<ResetOp>>> forgotten;
  for (std::vector<Take>& request : takes) {
    for (const std::string& key : keys)
      if (random.chance(50)) request.push_back(a_take(key, kFive));
    asked.push_back(std::make_unique<Counted<TakeOp>>(TakeOp{.takes = request}));
    returned.push_back(std::make_unique<Counted<GiveBackOp>>(
        GiveBackOp{.key = "a", .limit = kFive, .cost = random.between(-1, 1)}));
    forgotten.push_back(std::make_unique<Counted<ResetOp>>(ResetOp{.key = "b"}));
    harness().store().submit(static_cast<TakeOp&>(*asked.back()));
    harness().store().submit(static_cast<GiveBackOp&>(*returned.back()));
    harness().store().submit(static_cast<ResetOp&>(*forgotten.back()));
  }
  harness().run();
  for (std::size_t i = 0; i < takes.size(); ++i) {
    EXPECT_EQ(asked[i]->completions, 1);
    EXPECT_EQ(returned[i]->completions, 1);
    EXPECT_EQ(forgotten[i]->completions, 1);
    EXPECT_EQ(asked[i]->error.has_value(), takes[i].empty());
    EXPECT_EQ(returned[i]->error.has_value(), returned[i]->cost < 0);
  }
}

}  // namespace tidegate::test
