// What is found out at start-up, and how one logs in.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/redis/events_log.h"
#include "tests/redis/harness.h"
#include "tidegate/limiter.h"
#include "tidegate/store/redis/background_store.h"

namespace tidegate::test {
namespace {

class RedisCheck : public ::testing::Test {
 protected:
  void open(const std::string& url) {
    auto opened =
        BackgroundRedisStore::open(redis_options(url), {.events = &events_, .check_server = true});
    ASSERT_TRUE(opened) << opened.error().message();
    store_ = *std::move(opened);
  }
  // The checks are asked before this is, so they are answered then.
  void wait() { ASSERT_TRUE(store_->wait_until_ready()) << events_.text(); }

  EventsLog events_;
  std::unique_ptr<BackgroundRedisStore> store_;
};

std::string with_user(const RedisServer& server, const std::string& user_info) {
  return "redis://" + user_info + "@127.0.0.1:" + std::to_string(server.port());
}

TEST_F(RedisCheck, A_good_server_is_named_and_nothing_stays_behind) {
  RedisServer server;
  open(server.url());
  wait();
  EXPECT_EQ(events_.count("connected redis "), 1U) << events_.text();
  EXPECT_EQ(events_.count("warned"), 0U) << events_.text();
  EXPECT_EQ(server.ask({"DBSIZE"}).integer, 0);
}

TEST_F(RedisCheck, A_policy_that_forgets_keys_is_warned_of) {
  RedisServer server{{.settings = {"maxmemory 100mb", "maxmemory-policy allkeys-lru"}}};
  open(server.url());
  wait();
  EXPECT_EQ(events_.count("warned"), 1U) << events_.text();
  EXPECT_EQ(events_.count("allkeys-lru"), 1U) << events_.text();
}

TEST_F(RedisCheck, A_node_of_a_cluster_is_warned_of) {
  RedisServer server{{.settings = {"cluster-enabled yes"}}};
  open(server.url());
  wait();
  EXPECT_GE(events_.count("node of a cluster"), 1U) << events_.text();
}

TEST_F(RedisCheck, Missing_permissions_are_warned_of) {
  RedisServer server{{.settings = {"user ann on >sesame ~* +ping +hello +info +evalsha +eval"}}};
  open(with_user(server, "ann:sesame"));
  wait();
  EXPECT_EQ(events_.count("it refuses the script"), 1U) << events_.text();
  EXPECT_EQ(events_.count("sesame"), 0U);
}

TEST_F(RedisCheck, A_user_with_the_rights_that_the_manual_names_is_enough) {
  RedisServer server{
      {.settings = {"user default off",
                    "user ann on >sesame ~tidegate:* +ping +hello +info +evalsha +eval +time "
                    "+@read +@write"}}};
  open(with_user(server, "ann:sesame"));
  wait();
  EXPECT_EQ(events_.count("warned"), 0U) << events_.text();
  Limiter limiter{static_cast<Store&>(*store_)};
  EXPECT_TRUE(limiter.take("k", "5/min"_limit).value().allowed);
}

TEST_F(RedisCheck, A_wrong_password_is_said_and_not_shown) {
  RedisServer server{{.settings = {"requirepass sesame"}}};
  open(with_user(server, ":opensaysme"));
  EXPECT_TRUE(events_.wait_for("connect_failed"));
  EXPECT_GE(events_.count("WRONGPASS"), 1U) << events_.text();
  EXPECT_EQ(events_.count("opensaysme"), 0U);
  EXPECT_FALSE(store_->wait_until_ready());
}

TEST_F(RedisCheck, No_password_where_one_is_wanted_is_said) {
  RedisServer server{{.settings = {"requirepass sesame"}}};
  open(server.url());
  EXPECT_TRUE(events_.wait_for("NOAUTH"));
  open(with_user(server, ":sesame"));
  wait();
}

TEST_F(RedisCheck, Another_database_is_selected) {
  RedisServer server;
  open(server.url() + "/3");
  wait();
  Limiter limiter{static_cast<Store&>(*store_)};
  EXPECT_TRUE(limiter.take("k", "5/min"_limit));
  EXPECT_NE(server.ask({"INFO", "keyspace"}).text.find("db3:keys=1"), std::string::npos);
}

TEST_F(RedisCheck, A_unix_socket_serves_as_well) {
  RedisServer server;
  open("unix://" + server.socket_path());
  wait();
}

TEST_F(RedisCheck, What_is_no_redis_is_left) {
  open("redis://" + std::string{"127.0.0.1:"} + std::to_string(free_port()));
  EXPECT_TRUE(events_.wait_for("cannot connect"));
  EXPECT_FALSE(store_->wait_until_ready());
}

}  // namespace
}  // namespace tidegate::test
