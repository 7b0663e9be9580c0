// A Redis that is stopped, gone, deaf or somebody else: every answer comes in time, and the store
// comes back by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/redis/batch.h"
#include "tests/redis/events_log.h"
#include "tests/redis/harness.h"
#include "tests/support/random.h"
#include "tidegate/limiter.h"
#include "tidegate/net/socket.h"
#include "tidegate/store/redis/background_store.h"

namespace tidegate::test {
namespace {

using namespace std::chrono_literals;

constexpr Limit kPlenty = "1000000/h"_limit;
constexpr Limit kFive = "5/h"_limit;

// What an answer may take that has 10 ms; more where other work shares the machine, or a sanitizer.
constexpr auto kInTime = kSanitized ? 300ms : 30ms;
// And where the scheduler let others go first.
constexpr auto kHeldUp = 1'000ms;

class RedisAway : public ::testing::Test {
 protected:
  void open(const std::string& url) { open(redis_options(url)); }
  void open(const RedisOptions& options) {
    auto opened = BackgroundRedisStore::open(options, {.events = &events_});
    ASSERT_TRUE(opened) << opened.error().message();
    store_ = *std::move(opened);
    limiter_ = std::make_unique<Limiter>(static_cast<Store&>(*store_));
  }

  Verdict take(const std::string& key, const Limit& limit) {
    const auto verdict = limiter_->take({{.key = key, .limit = limit}});
    if (verdict) return *verdict;
    ADD_FAILURE() << verdict.error().message();
    return {};
  }

  // Takes until Redis decides; fails when that takes longer than `patience`.
  void wait_until_back(std::chrono::milliseconds patience) {
    const SteadyTime end = std::chrono::steady_clock::now() + patience;
    while (take("back?", kPlenty).degraded) {
      ASSERT_LT(std::chrono::steady_clock::now(), end) << events_.text();
      std::this_thread::sleep_for(1ms);
    }
  }

  EventsLog events_;
  std::unique_ptr<BackgroundRedisStore> store_;
  std::unique_ptr<Limiter> limiter_;
};

TEST_F(RedisAway, Stopped_every_answer_comes_in_time_and_the_store_comes_back) {
  RedisServer server;
  open(server.url());
  wait_until_back(10s);
  server.stop();
  std::vector<std::chrono::milliseconds> longest;
  for (int i = 0; i < 20; ++i) {
    Batch batch{*store_, 200, "k", kPlenty};
    batch.wait();
    EXPECT_EQ(batch.degraded(), 200);
    EXPECT_EQ(batch.allowed(), 200);
    longest.push_back(batch.longest());
  }
  std::sort(longest.begin(), longest.end());
  EXPECT_LE(longest[longest.size() / 2], kInTime);
  EXPECT_LE(longest.back(), kHeldUp);
  server.go_on();
  wait_until_back(3s);
}

TEST_F(RedisAway, Stopped_for_longer_than_a_connection_is_kept) {
  RedisServer server;
  open(server.url() + "?connect_timeout=100ms");
  wait_until_back(10s);
  server.stop();
  const SteadyTime end = std::chrono::steady_clock::now() + 10s;
  while (events_.count("connect_failed") < 2) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << events_.text();
    EXPECT_TRUE(take("k", kFive).degraded);
  }
  EXPECT_TRUE(events_.wait_for("it is silent for 100 ms"));
  const SteadyTime before = std::chrono::steady_clock::now();
  EXPECT_TRUE(take("k", kFive).degraded);
  EXPECT_LT(std::chrono::steady_clock::now() - before, 5ms * (kSanitized ? 20 : 1));
  server.go_on();
  wait_until_back(3s);
}

TEST_F(RedisAway, Deny_denies_for_a_second_and_error_fails) {
  open("redis://127.0.0.1:" + std::to_string(free_port()) + "?on_error=deny");
  const Verdict denied = take("k", kFive);
  EXPECT_FALSE(denied.allowed);
  EXPECT_TRUE(denied.degraded);
  EXPECT_EQ(denied.bound().retry_after, Failover::kRetryAfter);
  EXPECT_EQ(denied.bound().capacity, 5U);
  open("redis://127.0.0.1:" + std::to_string(free_port()) + "?on_error=error");
  const auto failed = limiter_->take("k", kFive);
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message().find("redis://127.0.0.1:"), std::string::npos);
}

TEST_F(RedisAway, Allow_denies_what_can_never_fit) {
  open("redis://127.0.0.1:" + std::to_string(free_port()));
  EXPECT_TRUE(take("k", kFive).allowed);
  EXPECT_FALSE(take("k", "0/s"_limit).allowed);
  EXPECT_EQ(take("k", "0/s"_limit).bound().retry_after, kNever);
}

TEST_F(RedisAway, What_cannot_be_decided_without_it_is_an_error) {
  open("redis://127.0.0.1:" + std::to_string(free_port()));
  EXPECT_FALSE(limiter_->reset("k"));
  EXPECT_FALSE(limiter_->give_back("k", kFive));
}

TEST_F(RedisAway, Before_it_is_started_and_after) {
  RedisServer server;
  server.end();
  open(server.url() + "?timeout=2s");
  EXPECT_TRUE(events_.wait_for("cannot connect"));
  EXPECT_TRUE(take("k", kFive).degraded);
  server.start();
  wait_until_back(3s);
  EXPECT_FALSE(take("k", kFive).degraded);
}

TEST_F(RedisAway, Restarted_no_one_waits_long) {
  RedisServer server;
  open(server.url());
  wait_until_back(10s);
  server.end();
  Batch batch{*store_, 200, "k", kPlenty};
  batch.wait();
  EXPECT_LE(batch.longest(), kHeldUp);
  server.start();
  wait_until_back(3s);
}

TEST_F(RedisAway, A_peer_that_never_answers_costs_no_more_than_the_timeout) {
  net::Address anywhere{.host = "127.0.0.1"};
  const auto deaf = net::listen_at(anywhere);
  ASSERT_TRUE(deaf);
  const net::Address address = net::bound_address(*deaf, anywhere);
  open("redis://" + address.to_string() + "?connect_timeout=200ms");
  Batch batch{*store_, 200, "k", kPlenty};
  batch.wait();
  EXPECT_LE(batch.longest(), kHeldUp);
  EXPECT_EQ(batch.degraded(), 200);
  EXPECT_TRUE(events_.wait_for("no connection within 200 ms"));
}

TEST_F(RedisAway, More_than_may_wait_is_answered_at_once) {
  RedisServer server;
  RedisOptions options = redis_options(server.url());
  options.max_waiting = 50;
  options.timeout = 5s;
  open(options);
  wait_until_back(10s);
  server.stop();
  Batch batch{*store_, 60, "k", kPlenty};
  EXPECT_TRUE(events_.wait_for("too many requests wait"));
  server.go_on();
  batch.wait();
  EXPECT_EQ(batch.degraded(), 10);
}

TEST_F(RedisAway, A_deadline_of_the_requests_own_is_kept) {
  RedisServer server;
  open(server.url() + "?timeout=10s");
  wait_until_back(10s);
  server.stop();
  const Take take{.key = "k", .limit = kFive};
  std::atomic<bool> completed{false};
  struct Own : TakeOp {
    std::atomic<bool>* completed;
  } op;
  op.takes = {&take, 1};
  op.deadline = system_clock().now() + 20ms;
  op.completed = &completed;
  op.complete = [](TakeOp& done) { *static_cast<Own&>(done).completed = true; };
  store_->submit(static_cast<TakeOp&>(op));
  const SteadyTime end = std::chrono::steady_clock::now() + 5s;
  while (!completed && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_TRUE(completed);
  EXPECT_TRUE(op.verdict.degraded);
  server.go_on();
}

TEST_F(RedisAway, Destroyed_it_completes_what_waits) {
  RedisServer server;
  open(server.url() + "?timeout=10s");
  wait_until_back(10s);
  server.stop();
  Batch batch{*store_, 100, "k", kPlenty};
  limiter_.reset();
  store_.reset();
  batch.wait();
  EXPECT_EQ(batch.degraded(), 100);
}

TEST_F(RedisAway, Flushed_scripts_come_again_and_each_take_is_counted_once) {
  RedisServer server;
  open(server.url() + "?timeout=10s");
  wait_until_back(10s);
  int allowed = 0;
  for (int i = 0; i < 4; ++i) {
    Batch batch{*store_, 100, "k", "399/h"_limit};
    server.ask({"SCRIPT", "FLUSH"});
    Batch more{*store_, 50, "k", "399/h"_limit};
    batch.wait();
    more.wait();
    EXPECT_EQ(batch.degraded() + more.degraded() + batch.errors() + more.errors(), 0);
    allowed += batch.allowed() + more.allowed();
  }
  EXPECT_EQ(allowed, 399);
}

TEST_F(RedisAway, A_key_of_another_type_is_an_error_for_that_take_alone) {
  RedisServer server;
  open(server.url() + "?timeout=2s");
  wait_until_back(10s);
  server.ask({"LPUSH", "tidegate:{mine}:sliding_window", "x"});
  const auto refused = limiter_->take("mine", kFive);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().where, "key \"mine\"");
  EXPECT_NE(refused.error().what.find("holds a"), std::string::npos) << refused.error().what;
  EXPECT_FALSE(take("other", kFive).degraded);
  EXPECT_EQ(events_.count("degraded"), 0U);
}

TEST_F(RedisAway, A_replica_is_left_and_the_master_found_again) {
  RedisServer server;
  open(server.url() + "?timeout=2s");
  wait_until_back(10s);
  server.ask({"REPLICAOF", "127.0.0.1", "1"});
  EXPECT_TRUE(take("k", kFive).degraded);
  EXPECT_TRUE(events_.wait_for("disconnected"));
  EXPECT_TRUE(events_.wait_for("it is a replica"));
  server.ask({"REPLICAOF", "NO", "ONE"});
  wait_until_back(3s);
}

TEST_F(RedisAway, Memory_that_is_full_is_the_stores_fault) {
  RedisServer server;
  open(server.url() + "?timeout=2s");
  wait_until_back(10s);
  server.ask({"CONFIG", "SET", "maxmemory", "1"});
  EXPECT_TRUE(take("k", kFive).degraded);
  EXPECT_TRUE(events_.wait_for("OOM"));
  server.ask({"CONFIG", "SET", "maxmemory", "0"});
  EXPECT_FALSE(take("k", kFive).degraded);
}

}  // namespace
}  // namespace tidegate::test
