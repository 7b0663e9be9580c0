// Redis over TLS: whom one trusts, and who one is.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/redis/events_log.h"
#include "tests/redis/harness.h"
#include "tests/support/certificates.h"
#include "tidegate/store/redis/background_store.h"

namespace tidegate::test {
namespace {

class RedisTlsTest : public ::testing::Test {
 protected:
  static const Certificates& certificates() {
    static const Certificates certificates;
    return certificates;
  }
  static RedisServer::Options server_options() {
    static const Certificates::Pair pair = certificates().make("server", "redis.test", "127.0.0.1");
    return {.tls = true, .certificate = pair.cert, .key = pair.key};
  }

  Expected<void> connect(const std::string& url) {
    auto opened = BackgroundRedisStore::open(redis_options(url), {.events = &events_});
    if (!opened) return tl::unexpected{opened.error()};
    return (*opened)->wait_until_ready();
  }

  EventsLog events_;
};

TEST_F(RedisTlsTest, A_certificate_that_the_ca_vouches_for_is_trusted) {
  RedisServer server{server_options()};
  EXPECT_TRUE(connect(server.url() + "?ca=" + certificates().ca())) << events_.text();
}

TEST_F(RedisTlsTest, One_of_an_unknown_authority_is_not) {
  RedisServer server{server_options()};
  EXPECT_FALSE(connect(server.url()));
  EXPECT_EQ(events_.count("certificate verify failed"), 1U) << events_.text();
}

TEST_F(RedisTlsTest, The_name_in_it_must_be_that_of_the_server) {
  RedisServer server{server_options()};
  const std::string url = server.url() + "?ca=" + certificates().ca() + "&server_name=";
  EXPECT_TRUE(connect(url + "redis.test")) << events_.text();
  EXPECT_FALSE(connect(url + "other.test"));
}

TEST_F(RedisTlsTest, A_server_may_want_the_clients_certificate) {
  RedisServer::Options options = server_options();
  options.client_ca = certificates().ca();
  RedisServer server{options};
  const std::string url = server.url() + "?ca=" + certificates().ca();
  const Certificates::Pair client = certificates().make("client", "client.test", "127.0.0.1");
  EXPECT_FALSE(connect(url));
  EXPECT_TRUE(connect(url + "&cert=" + client.cert + "&key=" + client.key)) << events_.text();
}

TEST_F(RedisTlsTest, Files_that_cannot_be_read_are_errors_at_once) {
  const auto missing = connect("rediss://127.0.0.1:1?ca=/no/such/ca.pem");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message().find("/no/such/ca.pem"), std::string::npos);
  EXPECT_FALSE(connect("rediss://127.0.0.1:1?cert=" + certificates().ca() + "&key=/no/such"));
}

TEST_F(RedisTlsTest, A_port_without_tls_is_left_in_time) {
  RedisServer server;
  EXPECT_FALSE(
      connect("rediss://127.0.0.1:" + std::to_string(server.port()) + "?connect_timeout=300ms"));
}

TEST_F(RedisTlsTest, A_tls_port_spoken_to_in_clear_is_left_in_time) {
  RedisServer server{server_options()};
  EXPECT_FALSE(
      connect("redis://127.0.0.1:" + std::to_string(server.port()) + "?connect_timeout=300ms"));
}

}  // namespace
}  // namespace tidegate::test
