// HTTP/2 over a socket: what the network and a session promise each other.
#include <gtest/gtest.h>

#include "tests/net/network.h"
#include "tests/support/http2_client.h"
#include "tidegate/wire/http2.h"

namespace tidegate::test {
namespace {

// Answers each request with its body.
class BodyEcho final : public Conversation, private http2::Handler {
 public:
  void feed(std::string_view bytes) override { session_.feed(bytes); }
  std::string_view output() const override { return session_.output(); }
  void sent(std::size_t bytes) override { session_.sent(bytes); }
  bool want_read() const override { return session_.want_read(); }
  void drain() override { session_.drain(); }
  bool finished() const override { return session_.finished(); }

 private:
  void on_headers(http2::StreamId stream, http2::Headers) override {
    session_.start(stream, std::vector<http2::HeaderField>{{":status", "200"}});
  }
  void on_data(http2::StreamId stream, std::string_view bytes) override {
    session_.send(stream, bytes);
  }
  void on_end(http2::StreamId stream) override { session_.finish(stream, {}); }
  void on_close(http2::StreamId) override {}

  http2::Session session_{{}, *this};
};

class Http2Network : public testing::Test {
 protected:
  // Both ways until the condition holds.
  template <class Condition>
  bool talk_until(Condition&& condition) {
    while (!condition()) {
      const std::string up = client.output();
      if (!up.empty()) socket.send(up);
      if (!hear()) return false;
    }
    return true;
  }
  // One way.
  template <class Condition>
  bool hear_until(Condition&& condition) {
    while (!condition())
      if (!hear()) return false;
    return true;
  }
  bool hear() {
    char down[65'536];
    const ssize_t size = recv(socket.fd(), down, sizeof down, 0);
    if (size <= 0) return false;
    client.feed({down, static_cast<std::size_t>(size)});
    heard.append(down, static_cast<std::size_t>(size));
    return true;
  }
  // How many GOAWAYs came. A client that has been told of one and has no stream left reads no more
  // of them.
  int goaways() const {
    constexpr std::string_view kHead{"\0\0\x08\x07\0\0\0\0\0", 9};
    int count = 0;
    for (std::size_t at = 0; (at = heard.find(kHead, at)) != std::string::npos; ++at) ++count;
    return count;
  }

  RunningNetwork server{{}, [](const net::Peer&) { return std::make_unique<BodyEcho>(); }};
  TestClient socket{server.at};
  Http2Client client;
  std::string heard;
};

TEST_F(Http2Network, Answers_a_body_larger_than_all_windows) {
  const std::string body(300'000, 'x');
  const auto id = client.request("/", body);
  EXPECT_TRUE(talk_until([&] { return client.reply(id).closed; }));
  EXPECT_EQ(client.reply(id).body, body);
}

TEST_F(Http2Network, Drains_in_two_steps_of_which_the_second_needs_the_peer) {
  const auto id = client.request("/", "cut in two");
  const std::string up = client.output();
  socket.send(std::string_view{up}.substr(0, up.size() - 3));
  ASSERT_TRUE(hear_until([&] { return !client.reply(id).headers.empty(); }));
  server.network.drain();
  ASSERT_TRUE(hear_until([&] { return goaways() == 1; }));
  socket.send(std::string_view{up}.substr(up.size() - 3));
  EXPECT_TRUE(talk_until([&] { return goaways() == 2 && client.reply(id).closed; }));
  EXPECT_EQ(client.reply(id).body, "cut in two");
  EXPECT_EQ(socket.read_to_end(), "");
  socket.end();
  EXPECT_TRUE(within(5s, [&] { return server.events.count(net::Cause::kFinished) == 1; }));
}

TEST_F(Http2Network, Ends_when_the_peer_does) {
  const auto id = client.request("/", "body");
  ASSERT_TRUE(talk_until([&] { return client.reply(id).closed; }));
  socket.end();
  client.feed(socket.read_to_end());
  EXPECT_TRUE(within(5s, [&] { return server.network.counters().open == 0; }));
  EXPECT_EQ(server.events.count(net::Cause::kFinished), 1);
}

}  // namespace
}  // namespace tidegate::test
