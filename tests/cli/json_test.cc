#include "tidegate/cli/json.h"

#include <gtest/gtest.h>

namespace tidegate::cli {
namespace {

using namespace std::literals;

const Take kUser{.key = "user:1", .limit = "5/60s"_limit};
const Take kTenant{.key = "tenant:1", .limit = "10/s burst 20"_limit};
const Decision kYes{
    .at = Time{1'700'000'000s}, .reset_after = 60s, .capacity = 5, .remaining = 4, .allowed = true};
const Decision kNo{.at = Time{1'700'000'000s}, .retry_after = 100ms, .reset_after = 2s};

TEST(Json, Of_one_take_has_every_field) {
  std::string text;
  append_json(text, kUser, kYes);
  EXPECT_EQ(text,
            R"({"allowed":true,"limit":"5/min","key":"user:1","remaining":4,"retry_after_us":0,)"
            R"("reset_after_us":60000000,"at_us":1700000000000000})");
}

TEST(Json, Of_a_wait_without_end_is_null) {
  std::string text;
  append_json(text, kUser, {.retry_after = kNever});
  EXPECT_EQ(text, R"({"allowed":false,"limit":"5/min","key":"user:1","remaining":0,)"
                  R"("retry_after_us":null,"reset_after_us":0,"at_us":0})");
}

TEST(Json, Of_several_takes_shows_the_binding_one_and_all) {
  const Take takes[] = {kUser, kTenant};
  std::string text;
  append_json(text, takes, {.decisions = {kYes, kNo}, .binding = 1});
  const std::string user =
      R"("allowed":true,"limit":"5/min","key":"user:1","remaining":4,"retry_after_us":0,)"
      R"("reset_after_us":60000000,"at_us":1700000000000000)";
  const std::string tenant =
      R"("allowed":false,"limit":"10/s burst 20","key":"tenant:1","remaining":0,)"
      R"("retry_after_us":100000,"reset_after_us":2000000,"at_us":1700000000000000)";
  EXPECT_EQ(text, "{" + tenant + R"(,"binding":1,"takes":[{)" + user + "},{" + tenant + "}]}");
}

}  // namespace
}  // namespace tidegate::cli
