// Conversations that do not answer at once, as one does that asks a store elsewhere; that speak
// first; that end before a word is said.
#include <gtest/gtest.h>
#include <unistd.h>

#include <latch>
#include <set>

#include "tests/net/held_loop.h"
#include "tests/net/network.h"
#include "tidegate/net/event_loop.h"

namespace tidegate::test {
namespace {

class LateEcho;

// Where lines wait for their answers. Of one loop; `taken` may be read from anywhere.
struct Desk {
  std::set<LateEcho*> open;
  std::atomic<std::size_t> open_count{0};
  std::atomic<std::size_t> taken{0};
};

// Takes lines, at most so many before it wants no more, and answers them when told to.
class LateEcho final : public Conversation {
 public:
  static constexpr std::size_t kMost = 100;

  explicit LateEcho(Desk& desk) : desk_{desk} {
    desk_.open.insert(this);
    ++desk_.open_count;
  }
  ~LateEcho() override {
    desk_.open.erase(this);
    --desk_.open_count;
  }

  void answer() {
    const std::size_t whole = held_.rfind('\n') + 1;  // 0 when there is none
    output_ += held_.substr(0, whole);
    held_.erase(0, whole);
    lines_ = 0;
    change();
  }

  void feed(std::string_view bytes) override {
    held_ += bytes;
    const auto more = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
    lines_ += more;
    desk_.taken += more;
  }
  std::string_view output() const override { return output_; }
  void sent(std::size_t bytes) override { output_.erase(0, bytes); }
  bool want_read() const override { return lines_ < kMost && !draining_; }
  void drain() override { draining_ = true; }
  bool finished() const override { return draining_ && lines_ == 0; }

 private:
  Desk& desk_;
  std::string held_;
  std::string output_;
  std::size_t lines_ = 0;
  bool draining_ = false;
};

class Late : public testing::Test {
 protected:
  void answer() {
    server.network.loop(0).post([this] {
      for (LateEcho* const conversation : desk.open) conversation->answer();
    });
  }
  // What a drain posts to the loop is done with once the second of two such calls is.
  void let_the_drain_begin() {
    std::latch begun{1};
    net::EventLoop& loop = server.network.loop(0);
    loop.post([&] { loop.post([&] { begun.count_down(); }); });
    begun.wait();
  }
  bool taken(std::size_t lines) {
    return within(5s, [&] { return desk.taken >= lines; });
  }

  Desk desk;
  RunningNetwork server{{.timeouts = {.drain = 100s}},
                        [this](const net::Peer&) { return std::make_unique<LateEcho>(desk); }};
};

TEST_F(Late, Answers_are_sent_when_they_come) {
  TestClient client{server.at};
  for (const char* text : {"a\n", "b\nc\n"}) {
    client.send(text);
    ASSERT_TRUE(taken(text == std::string_view{"a\n"} ? 1 : 3));
    answer();
    EXPECT_EQ(client.read(std::string_view{text}.size()), text);
  }
}

TEST_F(Late, Answers_reach_a_peer_that_has_sent_all) {
  TestClient client{server.at};
  client.send("a\nb\n");
  client.end();
  ASSERT_TRUE(taken(2));
  answer();
  EXPECT_EQ(client.read_to_end(), "a\nb\n");
  EXPECT_FALSE(client.reset);
}

TEST_F(Late, Answers_are_waited_for_by_a_drain) {
  TestClient client{server.at};
  client.send("a\n");
  ASSERT_TRUE(taken(1));
  server.network.drain();
  let_the_drain_begin();
  EXPECT_FALSE(server.ended);
  answer();
  EXPECT_EQ(client.read_to_end(), "a\n");
  client.close();
  EXPECT_TRUE(within(5s, [&] { return server.ended.load(); }));
}

TEST_F(Late, Answers_outstanding_stop_the_reading) {
  constexpr std::size_t kLines = 20 * LateEcho::kMost;
  TestClient client{server.at};
  const std::string line = std::string(9'999, 'x') + "\n";
  const std::jthread writer{[&] {
    for (std::size_t i = 0; i < kLines; ++i) client.send(line);
  }};
  for (std::size_t answered = 0; answered < kLines;) {
    ASSERT_TRUE(taken(std::min(answered + LateEcho::kMost, kLines)));
    const std::size_t outstanding = desk.taken - answered;
    EXPECT_LE(outstanding, LateEcho::kMost + 7) << "a read of 64 KiB above the bound, at most";
    answered += outstanding;
    answer();
    ASSERT_EQ(client.read(outstanding * line.size()).size(), outstanding * line.size());
  }
}

TEST_F(Late, Answers_to_who_has_gone_go_nowhere) {
  TestClient waiting{server.at};
  waiting.send("a\n");
  TestClient full{server.at};
  full.send(std::string(LateEcho::kMost, '\n'));
  ASSERT_TRUE(taken(1 + LateEcho::kMost));
  waiting.abort();
  full.abort();
  answer();
  EXPECT_TRUE(within(5s, [&] { return desk.open_count == 0; }));
  answer();
  EXPECT_EQ(server.network.counters().open, 0U);
}

// One that was accepted just as the first drain began must not outlive the second.
TEST_F(Late, Answers_are_not_waited_for_when_a_drain_is_asked_for_twice) {
  std::atomic<bool> hold{true};
  server.network.loop(0).post([&] {
    while (hold) std::this_thread::yield();
  });
  TestClient client{server.at};
  client.send("a\n");
  server.network.drain();
  server.network.drain();
  hold = false;
  EXPECT_TRUE(within(5s, [&] { return server.ended.load(); }));
}

// What lies in the kernel when the drain comes has arrived.
void expect_answer_of_a_drain(const net::Address& address, std::size_t bytes) {
  RunningNetwork server{{.threads = 2}, {}, address};
  TestClient on_the_first_loop{server.at};
  TestClient client{server.at};
  for (TestClient* const each : {&on_the_first_loop, &client}) {
    each->send("a\n");
    EXPECT_EQ(each->read(2), "a\n");
  }
  HeldLoop held{server.network, 1};
  held.drain();
  const std::string text(bytes, '\n');
  if (bytes > 0) client.send(text);
  held.release();
  EXPECT_EQ(client.read_to_end().size(), bytes);
  EXPECT_FALSE(client.reset);
}

TEST(Arrived, Is_answered_by_a_drain_though_it_was_not_read_before) {
  for (const std::size_t bytes : {0U, 1U, 40'000U})
    expect_answer_of_a_drain({.host = "127.0.0.1"}, bytes);
  const std::string path = testing::TempDir() + "tidegate-arrived-" + std::to_string(getpid());
  expect_answer_of_a_drain({.path = path}, 150'000);  // more than two reads
}

// Says what it is given and ends.
class Herald final : public Conversation {
 public:
  explicit Herald(std::string_view text) : text_{text} {}
  void feed(std::string_view) override {}
  std::string_view output() const override { return text_; }
  void sent(std::size_t bytes) override { text_.remove_prefix(bytes); }
  bool want_read() const override { return false; }
  void drain() override {}
  bool finished() const override { return true; }

 private:
  std::string_view text_;
};

TEST(Herald, Speaks_first_and_ends) {
  for (const std::string& text :
       {std::string{"hello\n"}, std::string{}, std::string(9 << 20, 'x')}) {
    RunningNetwork server{{}, [&](const net::Peer&) { return std::make_unique<Herald>(text); }};
    TestClient client{server.at};
    EXPECT_EQ(client.read_to_end(), text);
    EXPECT_FALSE(client.reset);
  }
}

}  // namespace
}  // namespace tidegate::test
