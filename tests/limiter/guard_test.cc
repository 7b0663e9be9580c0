#include "tidegate/middleware/guard.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tests/support/store_print.h"
#include "tidegate/store/memory/memory_store.h"

namespace tidegate::test {
namespace {

constexpr Limit kTwo = "2/min"_limit;

struct Request {
  std::string user;
  std::string name() const { return "user:" + user; }
};

class GuardTest : public ::testing::Test {
 protected:
  ManualClock clock_;
  MemoryStore store_{{}, clock_};
  Limiter limiter_{store_, clock_};
};

// Key functions.
const auto kOneKey = [](const auto&...) { return "k"; };
const auto kUser = [](const Request& request) -> std::string_view { return request.user; };

TEST_F(GuardTest, Runs_the_handler_while_allowed_and_the_other_after) {
  const auto guarded = guard(
      limiter_, kTwo, kUser, [](const Request& r) { return "served " + r.user; },
      [](const Decision& d, const Request& r) {
        return "refused " + r.user + " for " +
               std::to_string(d.retry_after / std::chrono::seconds{1});
      });
  EXPECT_EQ(guarded(Request{"ann"}), "served ann");
  EXPECT_EQ(guarded(Request{"ann"}), "served ann");
  clock_.advance(std::chrono::seconds{5});
  EXPECT_EQ(guarded(Request{"ann"}), "refused ann for 55");
  EXPECT_EQ(guarded(Request{"bob"}), "served bob");
  clock_.advance(std::chrono::seconds{55});
  EXPECT_EQ(guarded(Request{"ann"}), "served ann");
}

TEST_F(GuardTest, Gives_the_refusal_its_decision) {
  const auto guarded = guard(
      limiter_, kTwo, kOneKey, [] { return Decision{}; },
      [](const Decision& decision) { return decision; });
  guarded();
  guarded();
  EXPECT_EQ(guarded(), store_.check("k", kTwo));
}

TEST_F(GuardTest, Forwards_the_arguments_to_handler_and_refusal) {
  const auto guarded = guard(
      limiter_, kTwo, kOneKey, [](int a, std::string b) { return b + std::to_string(a); },
      [](const Decision&, int a, std::string b) { return "no " + b + std::to_string(a); });
  EXPECT_EQ(guarded(7, std::string{"x"}), "x7");
  EXPECT_EQ(guarded(8, "y"), "y8");
  EXPECT_EQ(guarded(9, "z"), "no z9");
}

TEST_F(GuardTest, Moves_what_can_only_be_moved) {
  const auto guarded = guard(
      limiter_, "1/min"_limit, kOneKey, [](std::unique_ptr<int> p) { return *p; },
      [](const Decision&, std::unique_ptr<int> p) { return -*p; });
  EXPECT_EQ(guarded(std::make_unique<int>(3)), 3);
  EXPECT_EQ(guarded(std::make_unique<int>(4)), -4);
}

TEST_F(GuardTest, Lets_the_handler_change_its_arguments) {
  const auto guarded = guard(
      limiter_, kTwo, kOneKey, [](int& n) { ++n; }, [](const Decision&, int& n) { n = -1; });
  int n = 0;
  guarded(n);
  guarded(n);
  EXPECT_EQ(n, 2);
  guarded(n);
  EXPECT_EQ(n, -1);
}

TEST_F(GuardTest, Returns_references_as_references) {
  int served = 1;
  int refused = 2;
  const auto guarded = guard(
      limiter_, "1/min"_limit, kOneKey, [&]() -> int& { return served; },
      [&](const Decision&) -> int& { return refused; });
  static_assert(std::is_same_v<decltype(guarded()), int&>);
  EXPECT_EQ(&guarded(), &served);
  EXPECT_EQ(&guarded(), &refused);
}

TEST_F(GuardTest, Takes_a_function_of_any_kind_for_its_key) {
  const auto serve = [](const Request&) { return true; };
  const auto refuse = [](const Decision&, const Request&) { return false; };
  const Request ann{"ann"};
  const auto by_method = guard(limiter_, "1/min"_limit, &Request::name, serve, refuse);
  EXPECT_TRUE(by_method(ann));
  EXPECT_FALSE(store_.check("user:ann", "1/min"_limit).allowed);
  const auto by_member = guard(limiter_, "1/min"_limit, &Request::user, serve, refuse);
  EXPECT_TRUE(by_member(ann));
  EXPECT_FALSE(store_.check("ann", "1/min"_limit).allowed);
  const auto by_text = guard(
      limiter_, "1/min"_limit, [](const Request& r) { return "a rather long key of " + r.user; },
      serve, refuse);
  EXPECT_TRUE(by_text(ann));
  EXPECT_FALSE(store_.check("a rather long key of ann", "1/min"_limit).allowed);
}

TEST_F(GuardTest, Refuses_what_cannot_be_decided) {
  const auto guarded = guard(
      limiter_, kTwo, [](const std::string& key) -> const std::string& { return key; },
      [](const std::string&) { return Duration{0}; },
      [](const Decision& decision, const std::string&) { return decision.retry_after; });
  EXPECT_EQ(guarded(std::string(kMaxKeyBytes + 1, 'k')), kNever);
  EXPECT_EQ(guarded(std::string(kMaxKeyBytes, 'k')), Duration{0});
}

TEST_F(GuardTest, Reads_the_key_before_the_handler_takes_the_arguments) {
  const auto guarded = guard(
      limiter_, kTwo, kUser, [](Request taken) { return taken.user; },
      [](const Decision&, Request) { return std::string{"refused"}; });
  EXPECT_EQ(guarded(Request{"a user with a name of some length"}),
            "a user with a name of some length");
  EXPECT_EQ(store_.check("a user with a name of some length", kTwo, 0).remaining, 1U);
}

int twice(int n) {
  return 2 * n;
}

TEST_F(GuardTest, Guards_a_plain_function) {
  const auto guarded =
      guard(limiter_, "1/min"_limit, kOneKey, twice, [](const Decision&, int) { return 0; });
  EXPECT_EQ(guarded(21), 42);
  EXPECT_EQ(guarded(21), 0);
}

}  // namespace
}  // namespace tidegate::test
