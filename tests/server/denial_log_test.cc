#include "tidegate/server/denial_log.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "tests/server/stream.h"

namespace tidegate::server {
namespace {

using namespace std::literals;
using test::Stream;

class DenialLogTest : public testing::Test {
 protected:
  void deny(int times, Duration retry_after = 59s) {
    for (int i = 0; i < times; ++i)
      denials_->denied("user:42", "5/min"_limit, {.at = clock_.now(), .retry_after = retry_after});
  }

  // The lines so far, without their times.
  std::vector<std::string> lines() {
    std::vector<std::string> all = stream_.lines();
    for (std::string& line : all) line.erase(0, line.find(' ') + 1);
    return all;
  }

  Stream stream_;
  ManualClock clock_;
  Log log_{LogLevel::kInfo, LogFormat::kText, clock_, stream_.file()};
  std::optional<DenialLog> denials_{std::in_place, "2/s"_limit, log_, clock_};
};

TEST_F(DenialLogTest, Says_who_was_denied) {
  deny(1);
  deny(1, kNever);
  EXPECT_EQ(lines(), (std::vector<std::string>{
                         "info denied key=user:42 limit=5/min retry_after_us=59000000 left_out=0",
                         "info denied key=user:42 limit=5/min retry_after_us=never left_out=0"}));
}

TEST_F(DenialLogTest, Speaks_as_often_as_its_limit_allows_and_counts_the_rest) {
  deny(1000);
  EXPECT_EQ(lines().size(), 2u);
  clock_.advance(999'999us);
  deny(1);
  EXPECT_EQ(lines().size(), 2u);
  clock_.advance(1us);
  deny(1);
  ASSERT_EQ(lines().size(), 3u);
  EXPECT_EQ(lines()[2], "info denied key=user:42 limit=5/min retry_after_us=59000000 left_out=999");
}

TEST_F(DenialLogTest, Says_at_its_end_what_it_left_out) {
  deny(7);
  denials_.reset();
  ASSERT_EQ(lines().size(), 3u);
  EXPECT_EQ(lines()[2], "info denied left_out=5");
}

TEST_F(DenialLogTest, Loses_no_count_between_threads) {
  {
    const std::jthread other{[this] { deny(1000); }};
    deny(1000);
  }
  denials_.reset();
  const auto all = lines();
  ASSERT_EQ(all.size(), 3u);
  std::uint64_t counted = 2;
  for (const std::string& line : all)
    counted += std::stoull(line.substr(line.find("left_out=") + 9));
  EXPECT_EQ(counted, 2000u);
}

}  // namespace
}  // namespace tidegate::server
