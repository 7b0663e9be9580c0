#include "tidegate/store/redis/url.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/support/redis_server.h"

namespace tidegate::test {
namespace {

using Variables = std::map<std::string, std::string>;

Expected<RedisOptions> parse(std::string_view url, const Variables& variables = {}) {
  return parse_redis_url(url, {}, [&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional{found->second};
  });
}

TEST(RedisUrl, Host_alone_leaves_the_rest_as_it_is) {
  RedisOptions expected;
  expected.address = {.host = "10.1.2.3", .port = 6379};
  EXPECT_EQ(parse("redis://10.1.2.3").value(), expected);
}

TEST(RedisUrl, Every_part_is_read) {
  const RedisOptions options =
      parse(
          "rediss://ann:pa%2Fss%40@[::1]:7001/3?prefix=rl%3A&timeout=5ms&connect_timeout=2s"
          "&on_error=deny&layout=zset,counter&ca=/ca.pem&cert=/c.pem&key=/k.pem&server_name=r")
          .value();
  EXPECT_EQ(options.address, (net::Address{.host = "::1", .port = 7001}));
  EXPECT_EQ(options.user, "ann");
  EXPECT_EQ(options.password, "pa/ss@");
  EXPECT_EQ(options.db, 3U);
  EXPECT_EQ(options.prefix, "rl:");
  EXPECT_EQ(options.timeout, std::chrono::milliseconds{5});
  EXPECT_EQ(options.connect_timeout, std::chrono::seconds{2});
  EXPECT_EQ(options.on_store_error, OnStoreError::kDeny);
  EXPECT_EQ(options.sliding_window, SlidingWindowLayout::kZset);
  EXPECT_EQ(options.fixed_window, FixedWindowLayout::kCounter);
  EXPECT_EQ(options.tls,
            (RedisTls{.ca = "/ca.pem", .cert = "/c.pem", .key = "/k.pem", .server_name = "r"}));
}

TEST(RedisUrl, A_unix_socket_is_a_path) {
  const RedisOptions options = parse("unix://:secret@/run/redis.sock?db=2").value();
  EXPECT_EQ(options.address, (net::Address{.path = "/run/redis.sock"}));
  EXPECT_EQ(options.password, "secret");
  EXPECT_EQ(options.db, 2U);
}

TEST(RedisUrl, Secrets_come_from_the_environment_when_the_url_has_none) {
  const TestFolder folder;
  const std::string file = folder.write("password", "from file\n");
  const Variables both{{"TIDEGATE_REDIS_USER", "ann"}, {"TIDEGATE_REDIS_PASSWORD", "from env"}};
  EXPECT_EQ(parse("redis://h", both)->user, "ann");
  EXPECT_EQ(parse("redis://h", both)->password, "from env");
  EXPECT_EQ(parse("redis://bob:from-url@h", both)->user, "bob");
  EXPECT_EQ(parse("redis://bob:from-url@h", both)->password, "from-url");
  EXPECT_EQ(parse("redis://h?password_file=" + file, both)->password, "from file");
  EXPECT_EQ(parse("redis://h", {{"TIDEGATE_REDIS_PASSWORD_FILE", file}})->password, "from file");
}

TEST(RedisUrl, A_password_file_that_cannot_be_read_is_an_error) {
  EXPECT_NE(parse("redis://h?password_file=/no/such").error().message().find("/no/such"),
            std::string::npos);
  EXPECT_FALSE(parse("redis://h?password_file=/"));
  const TestFolder folder;
  EXPECT_FALSE(parse("redis://h?password_file=" + folder.write("long", std::string(5'000, 'x'))));
}

TEST(RedisUrl, Mistakes_say_what_would_be_right) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"http://h", "redis://, rediss:// or unix://"},
      {"127.0.0.1:6379", "redis://, rediss:// or unix://"},
      {"", "redis://, rediss:// or unix://"},
      {"redis://", "HOST or HOST:PORT"},
      {"redis://h:", "HOST or HOST:PORT"},
      {"redis://h:99999", "HOST or HOST:PORT"},
      {"redis://h:0", "HOST or HOST:PORT"},
      {"redis://h/x", "number of a database"},
      {"redis://h/-1", "number of a database"},
      {"redis://h/99999999999", "number of a database"},
      {"redis://h?timeout=10", "as in 10ms"},
      {"redis://h?timeout=2h", "up to 1h"},
      {"redis://h?timeout=", "as in 10ms"},
      {"redis://h?on_error=fail", "allow, deny, local or error"},
      {"redis://h?layout=ring", "zset, list or counter"},
      {"redis://h?prefix=a{b", "one slot"},
      {"redis://h?prefix=%7Bb", "one slot"},
      {"redis://h?prefix=%4", "two hex digits"},
      {"redis://h?timeuot=1s", "timeout"},
      {"redis://h?=", "timeout"},
      {"redis://h?ca=/ca.pem", "rediss:// alone"},
      {"unix://run/redis.sock", "unix:///run/redis.sock"},
      {"unix://", "unix:///run/redis.sock"},
  };
  for (const auto& [url, what] : mistakes) {
    const auto read = parse(url);
    ASSERT_FALSE(read) << url;
    EXPECT_NE(read.error().message().find(what), std::string::npos)
        << url << " -> " << read.error().message();
  }
}

TEST(RedisUrl, No_error_repeats_a_password) {
  for (const char* url : {"redis://u:sesame@h:x", "redis://u:ses/sesame@h", "redis://u:sesame%4@h",
                          "http://u:sesame@h", "redis://u:sesame@h/x", "redis://u:sesame@",
                          "redis://sesame:", "redis://u:sesame@h?nonsense=1", "redis://:sesame"}) {
    const auto read = parse(url);
    ASSERT_FALSE(read) << url;
    EXPECT_EQ(read.error().message().find("sesame"), std::string::npos) << read.error().message();
  }
}

TEST(RedisUrl, The_place_shows_no_password) {
  EXPECT_EQ(place(parse("rediss://ann:sesame@h:1/2").value()), "rediss://ann@h:1/2");
  EXPECT_EQ(place(parse("unix://:sesame@/run/r").value()), "unix:///run/r");
}

}  // namespace
}  // namespace tidegate::test
