#include "tidegate/server/log.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/server/stream.h"

namespace tidegate::server {
namespace {

using namespace std::literals;
using test::Stream;

const ManualClock kClock{Time{1'700'000'000s + 123456us}};

std::string written(LogFormat format, std::string_view event, Fields fields) {
  const Stream stream;
  Log log{LogLevel::kInfo, format, kClock, stream.file()};
  log.warn(event, fields);
  return stream.text();
}

TEST(Log, Writes_a_line_for_people) {
  EXPECT_EQ(written(LogFormat::kText, "listening", {{"address", "unix:/run/t"}, {"threads", 2u}}),
            "2023-11-14T22:13:20.123456Z warning listening address=unix:/run/t threads=2\n");
}

TEST(Log, Writes_a_line_of_json) {
  EXPECT_EQ(written(LogFormat::kJson, "listening", {{"address", "unix:/run/t"}, {"threads", 2u}}),
            R"({"time":"2023-11-14T22:13:20.123456Z","level":"warning","event":"listening",)"
            R"("address":"unix:/run/t","threads":2})"
            "\n");
}

TEST(Log, Keeps_any_bytes_on_one_line_and_apart) {
  EXPECT_EQ(
      written(LogFormat::kText, "denied", {{"key", "a b\n\"=\xff"}, {"limit", ""}}),
      "2023-11-14T22:13:20.123456Z warning denied key=\"a b\\u000a\\\"=\\u00ff\" limit=\"\"\n");
  EXPECT_EQ(written(LogFormat::kJson, "a\nb", {{"key", "{%v}\xff"}}),
            R"({"time":"2023-11-14T22:13:20.123456Z","level":"warning","event":"a\u000ab",)"
            R"("key":"{%v}\u00ff"})"
            "\n");
}

TEST(Log, Leaves_out_what_is_below_its_level) {
  const Stream stream;
  Log log{LogLevel::kWarn, LogFormat::kText, kClock, stream.file()};
  log.debug("a");
  log.info("b");
  log.warn("c");
  log.error("d");
  ASSERT_EQ(stream.lines().size(), 2u);
  EXPECT_EQ(stream.lines()[1], "2023-11-14T22:13:20.123456Z error d");
}

TEST(Log, Keeps_lines_of_threads_whole) {
  const Stream stream;
  {
    Log log{LogLevel::kInfo, LogFormat::kText, kClock, stream.file()};
    const auto write = [&log] {
      for (int i = 0; i < 500; ++i) log.info("event", {{"field", "word"}});
    };
    const std::jthread other{write};
    write();
  }
  const auto lines = stream.lines();
  EXPECT_EQ(lines.size(), 1000u);
  for (const std::string& line : lines) EXPECT_EQ(line, lines.front());
}

}  // namespace
}  // namespace tidegate::server
