// Random lives of many clients beside a model of one line: what comes back is what was sent, up to
// the last whole line or `quit`. And what is counted, and what happens when descriptors run out.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "tests/net/network.h"
#include "tests/support/random.h"

namespace tidegate::test {
namespace {

std::string random_text(Random& random) {
  std::string text;
  for (std::int64_t left = random.log_between(0, 300); left > 0; --left)
    text += random.chance(1) ? "quit\n"
                             : std::string(static_cast<std::size_t>(random.log_between(0, 1'000)),
                                           static_cast<char>('a' + random.between(0, 25))) +
                                   (random.chance(95) ? "\n" : "");
  return text;
}

// The model of LineEcho.
std::string answer_to(const std::string& text) {
  const std::size_t whole = text.rfind('\n') + 1;  // 0 when there is none
  for (std::size_t at = 0; at < whole; at = text.find('\n', at) + 1)
    if (text.compare(at, 5, "quit\n") == 0) return text.substr(0, at + 5);
  return text.substr(0, whole);
}

void live(const net::Address& at, Random& random) {
  TestClient client{at};
  const std::string text = random_text(random);
  const std::string answer = answer_to(text);
  const bool leaves_early = random.chance(20);
  std::jthread writer{[&client, &text, leaves_early, piece = random.log_between(20, 50'000)] {
    for (std::size_t i = 0; i < text.size(); i += static_cast<std::size_t>(piece))
      client.send(std::string_view{text}.substr(i, static_cast<std::size_t>(piece)));
    if (!leaves_early) client.end();
  }};
  if (leaves_early) {
    EXPECT_EQ(client.read(answer.size()), answer);
    writer.join();
    return client.abort();
  }
  EXPECT_EQ(client.read_to_end(), answer);
  EXPECT_FALSE(client.reset);
}

TEST(Lives, Get_what_the_model_says) {
  for_each_trace(30, [](Random& random) {
    RunningNetwork server{{.threads = static_cast<std::size_t>(random.between(1, 3)),
                           .max_output = static_cast<std::size_t>(random.log_between(0, 1 << 20))}};
    std::vector<std::jthread> clients;
    for (int i = 0; i < 8; ++i)
      clients.emplace_back([&server, seed = random.bits()] {
        Random own{seed};
        for (int lives = 0; lives < 4; ++lives) live(server.at, own);
      });
    clients.clear();
    // Who has left before being let in is let in even so, a little later.
    EXPECT_TRUE(within(5s, [&] {
      const net::NetworkCounters now = server.network.counters();
      return now.accepted == 32 && now.open == 0;
    }));
  });
}

TEST(Counters, Count) {
  RunningNetwork server{{.max_connections = 1, .timeouts = {.ending = 40ms}}};
  TestClient client{server.at};
  client.send("hello\n");
  EXPECT_EQ(client.read(6), "hello\n");
  TestClient{server.at}.read_to_end();
  EXPECT_TRUE(within(5s, [&] {
    const net::NetworkCounters now = server.network.counters();
    return now.bytes_in == 6 && now.bytes_out == 6;
  }));
  client.close();
  EXPECT_TRUE(within(5s, [&] { return server.network.counters().open == 0; }));
  EXPECT_EQ(server.network.counters().accepted, 1U);
  EXPECT_EQ(server.network.counters().refused, 1U);
}

// So that a process has room for just so many descriptors more.
class DescriptorLimit {
 public:
  explicit DescriptorLimit(int more) {
    getrlimit(RLIMIT_NOFILE, &usual_);
    const int lowest_free = dup(0);
    close(lowest_free);
    set(static_cast<rlim_t>(lowest_free + more));
  }
  ~DescriptorLimit() { set(usual_.rlim_cur); }
  DescriptorLimit(const DescriptorLimit&) = delete;
  DescriptorLimit& operator=(const DescriptorLimit&) = delete;

 private:
  void set(rlim_t most) const {
    const rlimit limit{.rlim_cur = most, .rlim_max = usual_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  rlimit usual_{};
};

TEST(Descriptors, That_run_out_are_waited_for) {
  RunningNetwork server;
  TestClient early{server.at};
  early.send("a\n");
  EXPECT_EQ(early.read(2), "a\n");
  std::unique_ptr<TestClient> late;
  {
    const DescriptorLimit limit{1};  // the client's end; none is left for the server's
    late = std::make_unique<TestClient>(server.at);
    late->send("b\n");
    EXPECT_TRUE(within(5s, [&] { return server.events.failed_accepts > 0; }));
    early.send("c\n");
    EXPECT_EQ(early.read(2), "c\n") << "who is in goes on";
  }
  EXPECT_EQ(late->read(2), "b\n");
  EXPECT_LT(server.events.failed_accepts, 50) << "it tries now and then";
}

}  // namespace
}  // namespace tidegate::test
