#include "tidegate/wire/http2.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/support/http2_client.h"
#include "tests/support/random.h"

namespace tidegate::http2 {
namespace {

// Answers each request with its path and body; the ones below "/late" when told to.
class Echo final : public Handler {
 public:
  void on_headers(StreamId stream, Headers headers) override {
    for (const auto& [name, value] : headers)
      if (name == ":path") paths_[stream] = value;
  }
  void on_data(StreamId stream, std::string_view bytes) override { bodies_[stream] += bytes; }
  void on_end(StreamId stream) override {
    if (!paths_[stream].starts_with("/late")) answer(stream);
  }
  void on_close(StreamId stream) override {
    EXPECT_EQ(paths_.erase(stream), 1U) << "a stream is closed once";
    bodies_.erase(stream);
    ++closed;
  }

  void answer(StreamId stream) {
    if (paths_[stream] == "/empty") return session->respond(stream, std::vector{status});
    session->start(stream, std::vector{status});
    session->send(stream, paths_[stream] + " ");
    session->send(stream, bodies_[stream]);
    session->finish(stream, std::vector{trailer});
  }
  std::size_t open() const { return paths_.size(); }

  Session* session = nullptr;
  int closed = 0;

 private:
  static constexpr HeaderField status{":status", "200"};
  static constexpr HeaderField trailer{"grpc-status", "0"};
  std::map<StreamId, std::string> paths_;
  std::map<StreamId, std::string> bodies_;
};

// A client and a server, and the bytes between them.
struct Pair {
  explicit Pair(const Options& options = {}) : session{options, echo} { echo.session = &session; }

  // Both ways until neither has more to say, in pieces of at most so many bytes.
  void talk(const std::function<std::size_t()>& piece) {
    for (bool more = true; more;) {
      const std::string up = client.output();
      for (std::size_t at = 0; at < up.size();) {
        const std::size_t size = std::min(piece(), up.size() - at);
        session.feed(std::string{up.substr(at, size)});
        at += size;
      }
      const std::string down{session.output().substr(0, piece())};
      session.sent(down.size());
      client.feed(down);
      more = !up.empty() || !down.empty();
    }
  }
  void talk(std::size_t piece = 1 << 20) {
    talk([piece] { return piece; });
  }

  Echo echo;
  Session session;
  test::Http2Client client;
};

void expect_answer(const test::Http2Client::Reply& reply, const std::string& body) {
  EXPECT_EQ(reply.header(":status"), "200");
  EXPECT_EQ(reply.header("grpc-status"), "0");
  EXPECT_EQ(reply.body, body);
  EXPECT_TRUE(reply.closed);
  EXPECT_EQ(reply.code, 0U);
}

TEST(Http2Session, Answers_a_request_with_body_and_trailers) {
  Pair pair;
  const auto id = pair.client.request("/a", "body");
  pair.talk();
  expect_answer(pair.client.reply(id), "/a body");
  EXPECT_EQ(pair.echo.closed, 1);
}

TEST(Http2Session, Answers_with_a_header_alone) {
  Pair pair;
  const auto id = pair.client.request("/empty", "");
  pair.talk();
  EXPECT_EQ(pair.client.reply(id).header(":status"), "200");
  EXPECT_TRUE(pair.client.reply(id).closed);
}

TEST(Http2Session, Answers_alike_however_the_bytes_are_split) {
  test::for_each_trace(60, [](test::Random& random) {
    Pair pair;
    std::map<std::int32_t, std::string> expected;
    for (int i = 0; i < 20; ++i) {
      const std::string body(static_cast<std::size_t>(random.log_between(0, 100'000)), 'x');
      const std::string path = "/" + std::to_string(i);
      expected[pair.client.request(path, body)].append(path).append(" ").append(body);
    }
    const bool tiny = random.chance(20);
    pair.talk([&] { return static_cast<std::size_t>(random.between(1, tiny ? 9 : 5'000)); });
    for (const auto& [id, body] : expected) expect_answer(pair.client.reply(id), body);
    EXPECT_EQ(pair.echo.open(), 0U);
  });
}

TEST(Http2Session, Answers_late_and_out_of_order) {
  Pair pair;
  const auto first = pair.client.request("/late1", "a");
  const auto second = pair.client.request("/late2", "b");
  pair.talk();
  int changes = 0;
  pair.session.on_change([&] { ++changes; });
  pair.echo.answer(second);
  pair.session.flush();
  EXPECT_EQ(changes, 1);
  pair.talk();
  expect_answer(pair.client.reply(second), "/late2 b");
  EXPECT_FALSE(pair.client.reply(first).closed);
  pair.echo.answer(first);
  pair.session.flush();
  pair.talk();
  expect_answer(pair.client.reply(first), "/late1 a");
}

TEST(Http2Session, Sends_a_reply_in_pieces) {
  Pair pair;
  const auto id = pair.client.request("/late", "");
  pair.talk();
  pair.session.start(id, std::vector{HeaderField{":status", "200"}});
  for (const char* piece : {"one", "two"}) {
    pair.session.send(id, piece);
    pair.session.flush();
    pair.talk();
  }
  EXPECT_EQ(pair.client.reply(id).body, "onetwo");
  EXPECT_FALSE(pair.client.reply(id).closed);
  pair.session.finish(id, {});
  pair.session.flush();
  pair.talk();
  EXPECT_TRUE(pair.client.reply(id).closed);
}

TEST(Http2Session, Forgets_a_stream_that_the_client_resets) {
  Pair pair;
  const auto id = pair.client.request("/late", "");
  pair.talk();
  pair.client.cancel(id);
  pair.talk();
  EXPECT_EQ(pair.echo.open(), 0U);
  pair.session.send(id, "too late");
  pair.session.finish(id, {});
  pair.session.flush();
  pair.talk();
  EXPECT_EQ(pair.client.reply(id).body, "");
}

TEST(Http2Session, Tells_of_streams_that_are_lost_with_it) {
  Echo echo;
  test::Http2Client client;
  {
    Session session{{}, echo};
    client.request("/late", "");
    session.feed(client.output());
    EXPECT_EQ(echo.open(), 1U);
  }
  EXPECT_EQ(echo.open(), 0U);
}

TEST(Http2Session, Resets_a_stream_with_too_long_a_header) {
  Pair pair{{.max_header_list = 1000}};
  const auto id = pair.client.request("/a", "", {{"x", std::string(900, 'x')}});
  const auto fits = pair.client.request("/b", "", {{"x", std::string(500, 'x')}});
  pair.talk();
  EXPECT_NE(pair.client.reply(id).code, 0U);
  expect_answer(pair.client.reply(fits), "/b ");
}

TEST(Http2Session, Waits_with_reading_while_much_is_unsent) {
  Pair pair{{.max_output = 100'000}};
  const std::string body(200'000, 'x');
  for (int i = 0; i < 5; ++i) pair.client.request("/a", body);
  for (int i = 0; i < 200 && pair.session.want_read(); ++i) {
    pair.session.feed(pair.client.output());
    pair.client.feed("");
  }
  EXPECT_LT(pair.session.output().size(), 100'000U + (1 << 15));
}

TEST(Http2Session, Answers_pings) {
  Pair pair;
  for (int i = 0; i < 100; ++i) pair.client.ping();
  pair.talk();
  EXPECT_EQ(pair.client.pongs(), 100);
  EXPECT_FALSE(pair.session.finished());
}

TEST(Http2Session, Sends_away_a_peer_that_resets_streams_too_fast) {
  Pair pair{{.reset_burst = 50, .reset_rate = 1}};
  for (int i = 0; i < 200 && !pair.session.finished(); ++i) {
    const auto id = pair.client.request("/late", "");
    pair.session.feed(pair.client.output());
    pair.client.cancel(id);
    pair.session.feed(pair.client.output());
  }
  pair.talk();
  EXPECT_TRUE(pair.session.finished());
  EXPECT_EQ(pair.client.goaways(), 1);
}

TEST(Http2Session, Asks_for_no_more_of_a_request_behind_its_reply) {
  Pair pair{{.stream_window = 1000}};
  const auto id = pair.client.request("/late", std::string(100'000, 'x'));
  const auto whole = pair.client.request("/late", "");
  pair.session.feed(pair.client.output());
  for (const auto stream : {id, whole}) {
    pair.session.want_no_more(stream);
    pair.echo.answer(stream);
  }
  pair.session.flush();
  pair.talk();
  EXPECT_EQ(pair.client.reply(id).header("grpc-status"), "0");
  EXPECT_TRUE(pair.client.reply(id).closed);
  expect_answer(pair.client.reply(whole), "/late ");
  EXPECT_EQ(pair.echo.open(), 0U);
}

TEST(Http2Session, Drains_in_two_steps) {
  Pair pair;
  const auto late = pair.client.request("/late", "");
  pair.talk();
  pair.session.drain();
  EXPECT_EQ(pair.client.goaways(), 0);
  const auto crossing = pair.client.request("/b", "");  // sent before the client knows
  pair.talk();
  EXPECT_EQ(pair.client.goaways(), 2);
  expect_answer(pair.client.reply(crossing), "/b ");
  EXPECT_EQ(pair.client.last_stream(), crossing);
  EXPECT_FALSE(pair.session.finished());
  pair.echo.answer(late);
  pair.session.flush();
  pair.talk();
  expect_answer(pair.client.reply(late), "/late ");
  EXPECT_TRUE(pair.session.finished());
}

TEST(Http2Session, Drains_in_two_steps_without_a_stream_open) {
  Pair pair;
  const auto id = pair.client.request("/a", "");
  pair.talk();
  expect_answer(pair.client.reply(id), "/a ");
  pair.session.drain();
  EXPECT_FALSE(pair.session.finished());
  const auto crossing = pair.client.request("/b", "");
  pair.talk();
  expect_answer(pair.client.reply(crossing), "/b ");
  EXPECT_TRUE(pair.session.finished());
}

TEST(Http2Session, Ends_with_a_peer_that_speaks_something_else) {
  Pair pair;
  pair.session.feed("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(pair.session.finished());
}

TEST(Http2Session, Survives_random_bytes) {
  test::for_each_trace(2'000, [](test::Random& random) {
    Pair pair;
    for (int i = 0; i < 3; ++i) pair.client.request("/a", "some body");
    std::string bytes = pair.client.output();
    for (std::int64_t changes = random.between(1, 8); changes > 0; --changes)
      bytes[static_cast<std::size_t>(random.between(24, std::ssize(bytes) - 1))] =
          static_cast<char>(random.bits());
    pair.session.feed(bytes);
    EXPECT_LT(pair.session.output().size(), 1U << 20);
  });
}

}  // namespace
}  // namespace tidegate::http2
