#include "tidegate/cli/text.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random.h"

namespace tidegate::cli {
namespace {

using test::Random;
using namespace std::literals;

std::string duration_text(Duration wait) {
  std::string text;
  append_duration(text, wait);
  return text;
}

TEST(DurationText, Follows_the_table) {
  const struct {
    Duration wait;
    const char* text;
  } kTable[] = {
      {0us, "0us"},
      {1us, "1us"},
      {250us, "250us"},
      {999us, "999us"},
      {1000us, "1ms"},
      {1001us, "2ms"},
      {12ms, "12ms"},
      {998'001us, "999ms"},
      {999ms, "999ms"},
      {999'001us, "1s"},
      {999'999us, "1s"},
      {1s, "1s"},
      {1'000'001us, "1.1s"},
      {1'100'000us, "1.1s"},
      {3s, "3s"},
      {9'900'001us, "10s"},
      {59'900'000us, "59.9s"},
      {59'900'001us, "60s"},
      {59'999'999us, "60s"},
      {60s, "60s"},
      {3600s, "3600s"},
      {24h * 366, "31622400s"},
      {24h * 36525, "3155760000s"},
      {kNever - 1us, "9223372036854.8s"},
      {kNever, "never"},
  };
  for (const auto& row : kTable) EXPECT_EQ(duration_text(row.wait), row.text);
}

// Reads what append_duration wrote.
Duration read_duration(const std::string& text) {
  std::size_t digits = 0;
  const double number = std::stod(text, &digits);
  const std::string unit = text.substr(digits);
  const double scale = unit == "us" ? 1 : unit == "ms" ? 1e3 : 1e6;
  return Duration{std::llround(number * scale)};
}

TEST(DurationText, Is_never_less_than_the_wait_and_less_than_a_step_more) {
  test::for_each_trace(20'000, [](Random& random) {
    const Duration wait{random.log_between(0, std::int64_t{1} << 46)};
    const Duration read = read_duration(duration_text(wait));
    const Duration step = wait < 1ms ? 1us : wait <= 999ms ? 1ms : 100ms;
    EXPECT_GE(read, wait);
    EXPECT_LT(read - wait, step) << duration_text(wait);
  });
}

TEST(KeyText, Is_bare_when_no_reader_could_mistake_it) {
  const struct {
    std::string_view key;
    const char* text;
  } kTable[] = {
      {"tenant:1", "tenant:1"}, {"[::1]", "[::1]"},        {"", R"("")"},
      {"a b", R"("a b")"},      {"a\tb", R"("a\u0009b")"}, {"\"", R"("\"")"},
      {"\\", R"("\\")"},        {"\x7f", R"("\u007f")"},   {"m\xc3\xbc", "\"m\xc3\xbc\""},
      {"\xff", R"("\u00ff")"},
  };
  for (const auto& row : kTable) {
    std::string text;
    append_key(text, row.key);
    EXPECT_EQ(text, row.text);
  }
}

std::string decision_text(const Decision& decision) {
  std::string text;
  append_text(text, decision);
  return text;
}

TEST(DecisionText, Says_what_is_left_or_how_long_to_wait) {
  EXPECT_EQ(decision_text({.remaining = 4, .allowed = true}), "allowed remaining=4");
  EXPECT_EQ(decision_text({.remaining = 4294967295, .allowed = true}),
            "allowed remaining=4294967295");
  EXPECT_EQ(decision_text({.retry_after = 59'900ms, .remaining = 1}), "denied retry_after=59.9s");
  EXPECT_EQ(decision_text({.retry_after = kNever}), "denied retry_after=never");
}

TEST(DecisionText, Of_several_takes_is_the_binding_one_with_its_key) {
  const Take takes[] = {{.key = "user:1", .limit = "5/s"_limit},
                        {.key = "tenant 1", .limit = "9/s"_limit}};
  const Verdict verdict{.decisions = {{.allowed = true}, {.retry_after = 3s}}, .binding = 1};
  std::string text;
  append_text(text, takes, verdict);
  EXPECT_EQ(text, "denied retry_after=3s key=\"tenant 1\"");
}

}  // namespace
}  // namespace tidegate::cli
