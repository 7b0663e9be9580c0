#include "tidegate/store/settle.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tidegate {
namespace {

constexpr Role B = Role::kBinding;
constexpr Role S = Role::kShadow;
constexpr Role Q = Role::kQuota;

// A take as settling sees it. `wait` is in seconds, 0 when the take alone is allowed, -1 for never.
struct Judged {
  Role role;
  int wait;
  std::uint32_t remaining = 0;
};

struct Settled {
  const char* fact;
  std::vector<Judged> takes;
  bool admitted;
  std::size_t binding;
};

const std::vector<Settled>& table() {
  static const std::vector<Settled> cases{
      {"one allowed", {{B, 0, 4}}, true, 0},
      {"one denied", {{B, 9}}, false, 0},
      {"binding: all allowed, the least remaining binds",
       {{B, 0, 4}, {B, 0, 2}, {B, 0, 3}},
       true,
       1},
      {"binding: equally few, the first binds", {{B, 0, 2}, {B, 0, 2}}, true, 0},
      {"binding: one of three denies", {{B, 0, 4}, {B, 9}, {B, 0, 0}}, false, 1},
      {"binding: the longest wait binds", {{B, 5}, {B, 9}, {B, 7}}, false, 1},
      {"binding: equally long, the first binds", {{B, 9}, {B, 9}}, false, 0},
      {"binding: never is the longest", {{B, 5}, {B, -1}, {B, 7}}, false, 1},
      {"shadow: allowed beside allowed does not bind", {{S, 0, 0}, {B, 0, 5}}, true, 1},
      {"shadow: denied beside allowed does not deny", {{B, 0, 5}, {S, 9}}, true, 0},
      {"shadow: denied does not bind a denial", {{S, -1}, {B, 5}}, false, 1},
      {"shadow: alone and denied, admitted", {{S, 9}}, true, 0},
      {"shadow: nothing else, the first binds", {{S, 9}, {S, 0, 1}}, true, 0},
      {"quota: one of two is left", {{Q, 9}, {Q, 0, 3}}, true, 0},
      {"quota: none is left", {{Q, 5}, {Q, 9}}, false, 1},
      {"quota: one alone denies", {{Q, 5}}, false, 0},
      {"quota: all allowed", {{Q, 0, 3}, {Q, 0, 2}}, true, 1},
      {"quota: left, a binding take denies", {{Q, 0, 3}, {B, 5}}, false, 1},
      {"quota: left beside an exhausted one, a binding take denies",
       {{Q, 9}, {Q, 0, 3}, {B, 5}},
       false,
       0},
      {"quota: none left beside binding takes that allow", {{B, 0, 5}, {Q, 5}, {Q, 4}}, false, 1},
      {"quota: a shadow is no quota", {{Q, 5}, {S, 0, 9}}, false, 0},
  };
  return cases;
}

std::vector<Take> takes_of(const Settled& settled) {
  std::vector<Take> takes;
  for (const Judged& judged : settled.takes)
    takes.push_back({.key = "k", .limit = "9/60s"_limit, .role = judged.role});
  return takes;
}

std::vector<Decision> decisions_of(const Settled& settled) {
  std::vector<Decision> decisions;
  for (const Judged& judged : settled.takes)
    decisions.push_back(
        {.retry_after = judged.wait < 0 ? kNever : Duration{std::chrono::seconds{judged.wait}},
         .remaining = judged.remaining,
         .allowed = judged.wait == 0});
  return decisions;
}

TEST(Settle, Admits_as_the_table_says) {
  for (const Settled& settled : table())
    EXPECT_EQ(admitted(takes_of(settled), decisions_of(settled)), settled.admitted) << settled.fact;
}

TEST(Settle, Names_the_binding_take_as_the_table_says) {
  for (const Settled& settled : table())
    EXPECT_EQ(binding_take(takes_of(settled), decisions_of(settled), settled.admitted),
              settled.binding)
        << settled.fact;
}

TEST(Settle, Charges_what_fits_when_all_was_admitted_or_each_is_charged) {
  const Decision fits{.allowed = true};
  const Decision denied{};
  EXPECT_TRUE(charged(fits, true, Charge::kAllOrNothing));
  EXPECT_FALSE(charged(fits, false, Charge::kAllOrNothing));
  EXPECT_TRUE(charged(fits, true, Charge::kEach));
  EXPECT_TRUE(charged(fits, false, Charge::kEach));
  for (const Charge charge : {Charge::kAllOrNothing, Charge::kEach}) {
    EXPECT_FALSE(charged(denied, true, charge));
    EXPECT_FALSE(charged(denied, false, charge));
  }
}

}  // namespace
}  // namespace tidegate
