// Real sockets on loopback: what arrives, how connections end, what is bounded, and the drain.
#include "tests/net/network.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/random.h"

namespace tidegate::test {
namespace {

std::string numbered(int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += std::to_string(i) + "\n";
  return all;
}

TEST(Network, Answers_whatever_the_pieces) {
  RunningNetwork server;
  for_each_trace(20, [&](Random& random) {
    TestClient client{server.at};
    const std::string text = numbered(300);
    for (std::size_t at = 0; at < text.size();) {
      const auto size = static_cast<std::size_t>(random.between(1, 200));
      EXPECT_TRUE(client.send(std::string_view{text}.substr(at, size)));
      at += size;
    }
    EXPECT_EQ(client.read(text.size()), text);
  });
}

TEST(Network, Answers_a_pipeline_longer_than_all_buffers) {
  RunningNetwork server;
  TestClient client{server.at};
  const std::string text = numbered(1'000'000);
  const std::jthread writer{[&] { client.send(text); }};
  EXPECT_EQ(client.read(text.size()), text);
}

TEST(Network, Answers_a_peer_that_has_sent_all_then_closes) {
  RunningNetwork server;
  TestClient client{server.at};
  client.send("a\nb\nhalf");
  client.end();
  EXPECT_EQ(client.read_to_end(), "a\nb\n");
  EXPECT_FALSE(client.reset);
  EXPECT_TRUE(within(5s, [&] { return server.events.count(net::Cause::kFinished) == 1; }));
}

TEST(Network, Closes_behind_the_last_answer_though_the_peer_goes_on) {
  RunningNetwork server;
  TestClient client{server.at};
  client.send("a\nquit\n" + std::string(100'000, 'x'));
  EXPECT_EQ(client.read_to_end(), "a\nquit\n");
  EXPECT_FALSE(client.reset) << "bytes left unread would reset it";
}

TEST(Network, Serves_a_unix_socket_and_removes_its_file) {
  const std::string path = testing::TempDir() + "tidegate-" + std::to_string(getpid());
  const net::Address address{.path = path};
  {
    RunningNetwork server{{}, {}, address};
    TestClient client{address};
    client.send("a\n");
    EXPECT_EQ(client.read(2), "a\n");
    EXPECT_EQ(server.peers().at(0).address, "unix:");
    EXPECT_EQ(net::listen_at(address).error().what, "somebody listens there");
  }
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

TEST(Network, Replaces_a_stale_unix_socket_but_no_other_file) {
  const std::string path = testing::TempDir() + "tidegate-stale-" + std::to_string(getpid());
  { const auto stale = net::listen_at({.path = path}); }
  EXPECT_EQ(access(path.c_str(), F_OK), 0) << "it leaves its file";
  EXPECT_TRUE(net::listen_at({.path = path}));
  unlink(path.c_str());
  close(open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  EXPECT_EQ(net::listen_at({.path = path}).error().what, "a file is there that is no socket");
  unlink(path.c_str());
}

TEST(Network, Refuses_an_address_in_use) {
  const RunningNetwork server;
  const auto second = net::listen_at(server.at);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().where, "address " + server.at.to_string());
}

TEST(Network, Spreads_connections_over_its_loops) {
  RunningNetwork server{{.threads = 3}};
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 30; ++i) {
    clients.push_back(std::make_unique<TestClient>(server.at));
    clients.back()->send("a\n");
    EXPECT_EQ(clients.back()->read(2), "a\n");
  }
  std::map<std::size_t, int> counts;
  for (const net::Peer& peer : server.peers()) ++counts[peer.loop];
  EXPECT_EQ(counts, (std::map<std::size_t, int>{{0, 10}, {1, 10}, {2, 10}}));
}

TEST(Network, Refuses_whom_it_has_no_place_for_and_says_so) {
  RunningNetwork server{{.max_connections = 2}};
  TestClient first{server.at};
  TestClient second{server.at};
  second.send("a\n");
  EXPECT_EQ(second.read(2), "a\n");
  EXPECT_EQ(TestClient{server.at}.read_to_end(), "full\n");
  second.close();
  EXPECT_TRUE(within(5s, [&] { return server.network.counters().open == 1; }));
  TestClient third{server.at};
  third.send("b\n");
  EXPECT_EQ(third.read(2), "b\n");
  EXPECT_EQ(server.network.counters().refused, 1u);
}

TEST(Network, Closes_who_is_silent) {
  RunningNetwork server{{.timeouts = {.idle = 40ms}}};
  TestClient client{server.at};
  EXPECT_EQ(client.read_to_end(), "");
  EXPECT_EQ(server.events.count(net::Cause::kIdle), 1);
}

TEST(Network, Stops_reading_from_who_does_not_read_and_closes_in_time) {
  RunningNetwork server{{.max_output = 10'000, .timeouts = {.write = 80ms}}};
  TestClient client{server.at};
  const timeval brief{.tv_sec = 0, .tv_usec = 50'000};
  setsockopt(client.fd(), SOL_SOCKET, SO_SNDTIMEO, &brief, sizeof brief);
  const std::string lines = numbered(20'000);
  std::size_t batches = 0;
  while (batches < 1000 && client.send(lines)) ++batches;
  EXPECT_LT(batches, 1000u) << "it never had to wait";
  EXPECT_TRUE(within(5s, [&] { return server.events.count(net::Cause::kUnread) == 1; }));
}

TEST(Network, Serves_two_thousand_at_once) {
  RunningNetwork server{{.threads = 2}};
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 2000; ++i) {
    clients.push_back(std::make_unique<TestClient>(server.at));
    clients.back()->send(std::to_string(i) + "\n");
  }
  for (int i = 0; i < 2000; ++i) {
    const std::string expected = std::to_string(i) + "\n";
    EXPECT_EQ(clients[static_cast<std::size_t>(i)]->read(expected.size()), expected);
  }
  EXPECT_EQ(server.network.counters().open, 2000u);
}

// Every client keeps asking; what the network has counted as read, it has answered.
TEST(Drain, Leaves_no_request_that_was_read_unanswered) {
  RunningNetwork server{{.threads = 2}};
  std::atomic<std::uint64_t> answered{0};
  std::atomic<int> resets{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&] {
        TestClient client{server.at};
        const std::string batch = numbered(10);
        while (client.send(batch)) {
          const std::string answers = client.read(batch.size());
          answered += static_cast<std::uint64_t>(std::count(answers.begin(), answers.end(), '\n'));
          resets += client.reset;
          if (answers.size() < batch.size()) return;
        }
      });
    EXPECT_TRUE(within(5s, [&] { return server.lines > 2000; }));
    server.network.drain();
  }
  EXPECT_TRUE(within(5s, [&] { return server.ended.load(); }));
  EXPECT_EQ(answered, server.lines);
  EXPECT_EQ(resets, 0);
}

TEST(Drain, Answers_what_has_arrived_and_lets_nobody_in) {
  RunningNetwork server;
  TestClient client{server.at};
  client.send("a\n");
  EXPECT_EQ(client.read(2), "a\n");
  client.send("b\nc\n");  // on loopback it has arrived when send returns
  server.network.drain();
  EXPECT_EQ(client.read_to_end(), "b\nc\n");
  client.close();
  EXPECT_TRUE(within(5s, [&] { return server.ended.load(); }));
  EXPECT_FALSE(net::connect_to(server.at));
}

TEST(Drain, Waits_for_slow_readers_no_longer_than_it_may) {
  RunningNetwork server{{.timeouts = {.write = 10s, .drain = 50ms}}};
  TestClient client{server.at};
  const timeval brief{.tv_sec = 0, .tv_usec = 50'000};
  setsockopt(client.fd(), SOL_SOCKET, SO_SNDTIMEO, &brief, sizeof brief);
  const std::string lines = numbered(20'000);
  while (client.send(lines)) {
  }
  server.network.drain();
  EXPECT_TRUE(within(5s, [&] { return server.ended.load(); }));
  EXPECT_EQ(server.events.count(net::Cause::kDrainTimeout), 1);
}

TEST(Drain, Asked_for_twice_ends_at_once) {
  RunningNetwork server{{.timeouts = {.write = 100s, .drain = 100s}}};
  TestClient client{server.at};
  const timeval brief{.tv_sec = 0, .tv_usec = 50'000};
  setsockopt(client.fd(), SOL_SOCKET, SO_SNDTIMEO, &brief, sizeof brief);
  const std::string lines = numbered(20'000);
  while (client.send(lines)) {
  }
  server.network.drain();
  server.network.drain();
  EXPECT_TRUE(within(5s, [&] { return server.ended.load(); }));
}

}  // namespace
}  // namespace tidegate::test
