// What a key may be, for every store.
//
// A part of the conformance suite; include conformance.h.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/store_limits.h"
#include "tests/support/store_scene.h"

namespace tidegate::test {

class StoreKey : public StoreScene, public ::testing::WithParamInterface<StoreCase> {
 protected:
  static constexpr Limit kTwenty = "20/60s"_limit;
  void SetUp() override { open(GetParam()); }
};

TEST_P(StoreKey, Twelve_that_look_alike_are_twelve_states) {
  using namespace std::string_literals;
  const std::vector<std::string> keys{"a"s,   "A"s,  " a"s,  "a "s,    "a\0"s,      "a\0b"s,
                                      "{a}"s, "a}"s, "a:b"s, "a\r\n"s, "\xc3\xa4"s, "a\xcc\x88"s};
  ASSERT_EQ(keys.size(), 12U);
  for (std::size_t i = 0; i < keys.size(); ++i)
    EXPECT_TRUE(take(keys[i], kTwenty, static_cast<Cost>(i + 1)).allowed);
  for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(remaining(keys[i], kTwenty), 19 - i);
}

TEST_P(StoreKey, Any_bytes_are_a_key) {
  using namespace std::string_literals;
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  for (const std::string& key : {""s, "\0"s, "\0\0"s, " "s, "\n"s, "{}"s, "}{"s, "\xff"s,
                                 "\xff\xfe"s, "%s%n"s, "../.."s, every_byte}) {
    EXPECT_EQ(take(key, kTwenty).remaining, 19U);
    EXPECT_EQ(take(key, kTwenty).remaining, 18U);
  }
}

TEST_P(StoreKey, One_byte_of_any_place_tells_keys_apart) {
  const std::string base(300, 'x');
  EXPECT_TRUE(take(base, kTwenty).allowed);
  for (std::size_t i = 0; i < base.size(); i += 13) {
    std::string other = base;
    other[i] = 'y';
    EXPECT_EQ(remaining(other, kTwenty), 20U) << "byte " << i;
  }
}

TEST_P(StoreKey, The_bytes_count_and_not_where_they_lie) {
  EXPECT_TRUE(take(std::string(100, 'k'), kTwenty, 3).allowed);
  const std::string longer(101, 'k');
  EXPECT_EQ(remaining(std::string_view{longer}.substr(1), kTwenty), 17U);
}

TEST_P(StoreKey, Of_64kib_at_most) {
  const std::string key(kMaxKeyBytes, 'k');
  EXPECT_TRUE(take(key, kTwenty).allowed);
  EXPECT_EQ(remaining(key, kTwenty), 19U);
  const std::string too_long = key + "k";
  const Error refused = refusal({{.key = too_long, .limit = kTwenty}});
  EXPECT_NE(refused.message().find("65536"), std::string::npos) << refused.message();
  EXPECT_LT(refused.message().size(), 300U);
}

TEST_P(StoreKey, Reset_forgets_its_states_of_every_algorithm) {
  for (const LimitCase& each : limit_cases()) {
    EXPECT_TRUE(take("k", each.limit).allowed);
    EXPECT_TRUE(take("other", each.limit).allowed);
  }
  reset("k");
  reset("unknown");
  for (const LimitCase& each : limit_cases()) {
    EXPECT_EQ(remaining("k", each.limit), each.limit.capacity()) << each.name;
    EXPECT_LT(remaining("other", each.limit), each.limit.capacity()) << each.name;
  }
}

}  // namespace tidegate::test
