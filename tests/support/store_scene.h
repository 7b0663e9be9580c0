// The fixture under the conformance suite: a store, a time, and questions.
//
// Thread safety: none. Cost: as the store.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/store_harness.h"
#include "tests/support/store_print.h"

namespace tidegate::test {

class StoreScene : public ::testing::Test {
 protected:
  // Midnight (UTC), an edge of every window that the suite uses.
  static constexpr Time kStart = std::chrono::sys_days{std::chrono::days{19'675}};

  void open(const StoreCase& store) {
    harness_ = store.make();
    ask_.emplace(*harness_);
    set(kStart);
  }

  Time now() const { return now_; }
  Duration tick() const { return harness_->tick(); }
  void set(Time now) {
    now_ = now;
    harness_->set_now(now);
  }
  void advance(Duration by) { set(now_ + by); }

  // A wait in whole ticks, rounded up.
  Duration in_ticks(Duration wait) const { return (wait + tick() - Duration{1}) / tick() * tick(); }

  Decision take(std::string_view key, const Limit& limit, Cost cost = 1) {
    return ask_->take(key, limit, cost);
  }
  Decision check(std::string_view key, const Limit& limit, Cost cost = 1) {
    return ask_->check(key, limit, cost);
  }
  std::uint32_t remaining(std::string_view key, const Limit& limit) {
    return ask_->remaining(key, limit);
  }
  void give_back(std::string_view key, const Limit& limit, Cost cost,
                 std::optional<Time> at = std::nullopt) {
    EXPECT_EQ(ask_->give_back(key, limit, cost, at), std::nullopt);
  }
  void reset(std::string_view key) { EXPECT_EQ(ask_->reset(key), std::nullopt); }

  Verdict request(const std::vector<Take>& takes, Request how = {}) {
    const Expected<Verdict> verdict = ask_->request(takes, how);
    if (verdict) return *verdict;
    ADD_FAILURE() << verdict.error().message();
    return {.decisions = std::vector<Decision>(takes.size())};
  }

  // The error that a request meets; empty when it is answered.
  Error refusal(const std::vector<Take>& takes, Request how = {}) {
    const Expected<Verdict> verdict = ask_->request(takes, how);
    return verdict ? Error{} : verdict.error();
  }

  // Takes one at a time until denied; returns how many were admitted.
  std::uint32_t use_up(std::string_view key, const Limit& limit) {
    std::uint32_t admitted = 0;
    while (admitted < 1'000 && take(key, limit).allowed) ++admitted;
    return admitted;
  }

  // Two keys that no answer tells apart.
  void expect_equal_keys(std::string_view a, std::string_view b, const Limit& limit) {
    for (const Cost cost : {0, 1, 2}) EXPECT_EQ(check(a, limit, cost), check(b, limit, cost));
  }

  // Moves to the end of a denial's wait, and tries there and one tick earlier.
  void expect_exact_wait(std::string_view key, const Limit& limit, Cost cost,
                         const Decision& denied) {
    ASSERT_FALSE(denied.allowed);
    ASSERT_GT(denied.retry_after, Duration{0});
    ASSERT_NE(denied.retry_after, kNever);
    const Time again = now() + in_ticks(denied.retry_after);
    set(again - tick());
    EXPECT_FALSE(take(key, limit, cost).allowed) << "a tick before retry_after";
    set(again);
    EXPECT_TRUE(take(key, limit, cost).allowed) << "at retry_after";
  }

  StoreHarness& harness() { return *harness_; }

 private:
  std::unique_ptr<StoreHarness> harness_;
  std::optional<Asker> ask_;
  Time now_{};
};

}  // namespace tidegate::test
