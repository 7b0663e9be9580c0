#include <gtest/gtest.h>

#include "tests/support/random.h"
#include "tidegate/replay/logs/time_text.h"

namespace tidegate::replay {
namespace {

using namespace std::chrono_literals;

// In the middle of 2019.
constexpr Time kNewest{std::chrono::sys_days{std::chrono::year{2019} / 7 / 1}};

std::int64_t micros(std::string_view text) {
  const auto at = read_time(text, kNewest);
  return at ? at->time_since_epoch().count() : -1;
}

TEST(TimeText, Reads_each_spelling) {
  constexpr std::pair<std::string_view, std::int64_t> kTimes[] = {
      {"10/Oct/2000:13:55:36 -0700", 971211336000000},
      {"[10/Oct/2000:13:55:36 -0700]", 971211336000000},
      {"10/Oct/2000:20:55:36 +0000", 971211336000000},
      {"22/Jan/2019:03:56:14 +0330", 1548116774000000},
      {"25/Feb/2019:16:19:48.143", 1551111588143000},
      {"2000-10-10T13:55:36-07:00", 971211336000000},
      {"2000-10-10T20:55:36Z", 971211336000000},
      {"2000-10-10 20:55:36", 971211336000000},
      {"2000/10/10 20:55:36", 971211336000000},
      {"2000-10-10T20:55:36.123456789Z", 971211336123456},
      {"2000-10-10T20:55:36,5+00", 971211336500000},
      {"2000-10-10T20:55:36.5 +0000", 971211336500000},
      {"2016-12-31T23:59:60Z", 1483228800000000},
      {"971211336", 971211336000000},
      {"7", 7000000},
      {"971211336.000001", 971211336000001},
      {"971211336.1239999", 971211336123999},
      {"971211336123", 971211336123000},
      {"971211336123.7", 971211336123000},
      {"971211336123456", 971211336123456},
      {"971211336123456789", 971211336123456},
      {"9.71211336e8", 971211336000000},
      {"Feb 25 16:19:38", 1551111578000000},
      {"Feb  5 16:19:38", 1549383578000000},
      {"Dec 25 16:19:38", 1545754778000000},
      {"Jul  1 23:00:00", 1562022000000000},
      {"Jul  3 00:00:00", 1530576000000000},
      {"Feb 29 00:00:00", 1456704000000000},
  };
  for (const auto& [text, expected] : kTimes) EXPECT_EQ(micros(text), expected) << text;
}

TEST(TimeText, Refuses_what_is_none) {
  for (const std::string_view text : {"",
                                      "-",
                                      "[]",
                                      "soon",
                                      "10/Okt/2000:13:55:36 -0700",
                                      "32/Oct/2000:13:55:36 -0700",
                                      "29/Feb/2001:00:00:00 +0000",
                                      "10/Oct/2000:24:00:00 +0000",
                                      "10/Oct/2000:13:60:00 +0000",
                                      "10/Oct/2000:13:55:36 -0700x",
                                      "10/Oct/2000:13:55:36 0700",
                                      "2000-13-10T20:55:36Z",
                                      "2000-10-10",
                                      "2000-10-10T20:55Z",
                                      "2000-10-10T20:55:36.Z",
                                      "1969-12-31T23:59:59Z",
                                      "2300-01-01T00:00:00Z",
                                      "-5",
                                      "971211336x",
                                      "1e300",
                                      "nan",
                                      "Feb 30 00:00:00",
                                      "Feb 2 16:19:38",
                                      "99999999999999999999"})
    EXPECT_EQ(micros(text), -1) << text;
}

// As a calendar has it, whatever the zone.
TEST(TimeText, Agrees_with_the_calendar) {
  test::for_each_trace(3'000, [](test::Random& random) {
    const Time at{std::chrono::seconds{random.between(86'400, 8'000'000'000)}};
    const std::int64_t zone = random.between(-14 * 4, 14 * 4) * 15;
    const Time local = at + std::chrono::minutes{zone};
    const auto day = std::chrono::floor<std::chrono::days>(local);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss clock{std::chrono::floor<std::chrono::seconds>(local - day)};
    constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    char text[64];
    std::snprintf(text, sizeof text, "%02u/%s/%04d:%02d:%02d:%02d %c%02d%02d",
                  static_cast<unsigned>(date.day()),
                  kMonths[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
                  static_cast<int>(clock.hours().count()),
                  static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()), zone < 0 ? '-' : '+',
                  static_cast<int>(std::abs(zone) / 60), static_cast<int>(std::abs(zone) % 60));
    EXPECT_EQ(read_time(text, kEndOfTime), at) << text;
  });
}

TEST(TimeReader, Remembers_no_text_that_it_refused) {
  TimeReader reader{kEndOfTime};
  Time at{};
  EXPECT_TRUE(reader.read("971211336", at));
  EXPECT_FALSE(reader.read("soon", at));
  EXPECT_FALSE(reader.read("soon", at));
  EXPECT_FALSE(TimeReader{kEndOfTime}.read("", at));
  EXPECT_TRUE(reader.read("971211337", at));
  EXPECT_EQ(at, Time{971'211'337s});
}

}  // namespace
}  // namespace tidegate::replay
