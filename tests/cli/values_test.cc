#include "tidegate/cli/values.h"

#include <gtest/gtest.h>

namespace tidegate::cli {
namespace {

using namespace std::literals;

TEST(Number, Is_read_in_decimal_within_its_bounds) {
  EXPECT_EQ(read_number("--cost", "0", 0, 9).value(), 0);
  EXPECT_EQ(read_number("--cost", "9", 0, 9).value(), 9);
  EXPECT_EQ(read_number("--cost", "010", 0, 99).value(), 10);
}

TEST(Number, Refuses_everything_else_and_says_what_would_do) {
  for (const char* text : {"", " 1", "1 ", "+1", "-1", "1x", "0x1", "1.0", "1e1", "8", "101",
                           "99999999999999999999"}) {
    const auto read = read_number("--cost", text, 9, 100);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().message(),
              "--cost \"" + std::string{text} + "\": expected a whole number, 9 to 100");
  }
}

TEST(Pause, Is_a_duration_of_the_grammar_or_0) {
  EXPECT_EQ(read_pause("--every", "0").value(), 0us);
  EXPECT_EQ(read_pause("--every", "10ms").value(), 10ms);
  EXPECT_EQ(read_pause("--every", "1us").value(), 1us);
  EXPECT_EQ(read_pause("--every", "min").value(), 60s);
}

TEST(Pause, Refuses_everything_else_and_shows_the_place) {
  const struct {
    const char* text;
    const char* message;
  } kTable[] = {
      {"10", "--every \"10\", column 3: expected a unit"},
      {"", "--every \"\", column 1: expected a unit"},
      {"10parsec", "--every \"10parsec\", column 3: expected a unit"},
      {"0s", "--every \"0s\", column 1: a period is 1us to 366d"},
      {"1s ", "--every \"1s \", column 3: unexpected text"},
      {"-1s", "--every \"-1s\", column 1: expected a unit"},
  };
  for (const auto& row : kTable) {
    const auto read = read_pause("--every", row.text);
    ASSERT_FALSE(read) << row.text;
    EXPECT_EQ(read.error().message().rfind(row.message, 0), 0u) << read.error().message();
    EXPECT_NE(read.error().message().find("for example 10ms, or 0"), std::string::npos);
  }
}

}  // namespace
}  // namespace tidegate::cli
