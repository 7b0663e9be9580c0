#include "tidegate/net/address.h"

#include <gtest/gtest.h>

#include "tests/support/random.h"

namespace tidegate::net {
namespace {

TEST(Address, Is_read_and_written) {
  const struct {
    const char* text;
    Address address;
  } kTable[] = {
      {"127.0.0.1:6380", {.host = "127.0.0.1", .port = 6380}},
      {"localhost:0", {.host = "localhost", .port = 0}},
      {":6380", {.host = "", .port = 6380}},
      {"[::1]:65535", {.host = "::1", .port = 65535}},
      {"unix:/run/tidegate.sock", {.path = "/run/tidegate.sock"}},
      {"unix:relative", {.path = "relative"}},
  };
  for (const auto& row : kTable) {
    const auto read = Address::parse(row.text);
    ASSERT_TRUE(read) << row.text;
    EXPECT_EQ(*read, row.address) << row.text;
    EXPECT_EQ(read->to_string(), row.text);
  }
}

TEST(Address, That_is_none_says_what_would_be_right) {
  for (const char* text :
       {"", "6380", "host", "host:", "host:x", "host:65536", "host:-1", "host:+1", "::1:6380",
        "[::1]", "[]:1", "[::1:1", "::1]:1", "unix:", "host: 1"}) {
    const auto read = Address::parse(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().where, "address \"" + std::string{text} + "\"");
    EXPECT_NE(read.error().what.find("expected"), std::string::npos) << read.error().what;
  }
  EXPECT_FALSE(Address::parse("unix:/" + std::string(108, 'x')));
  EXPECT_FALSE(Address::parse(std::string(300, 'h') + ":1"));
}

TEST(Address, That_was_read_reads_back_as_the_same) {
  test::for_each_trace(20'000, [](test::Random& random) {
    std::string text;
    for (std::int64_t left = random.between(0, 8); left > 0; --left)
      text += random.pick({":", "[", "]", "1", "a", "unix:", "/", ".", "65535", " ", "::"});
    const auto read = Address::parse(text);
    if (!read) return;
    const auto again = Address::parse(read->to_string());
    ASSERT_TRUE(again) << text;
    EXPECT_EQ(*again, *read) << text;
  });
}

}  // namespace
}  // namespace tidegate::net
