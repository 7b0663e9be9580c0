// What a process that serves is told from outside, and tells: signals, and systemd's notices.
#include <gtest/gtest.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "tests/net/network.h"
#include "tidegate/net/event_loop.h"
#include "tidegate/net/notify.h"

namespace tidegate::test {
namespace {

// Never answers, so that a drain has something to wait for.
class Silence final : public Conversation {
 public:
  void feed(std::string_view) override {}
  std::string_view output() const override { return {}; }
  void sent(std::size_t) override {}
  bool want_read() const override { return true; }
  void drain() override {}
  bool finished() const override { return false; }
};

// A network that obeys signals; they are sent to this process.
class Signals : public testing::Test {
 protected:
  Signals() {
    const auto connect = [](const net::Peer&) { return std::make_unique<Silence>(); };
    at_ = network_.listen({.address = {.host = "127.0.0.1"}, .connect = connect}).value();
    network_.obey_signals([this] {
      hangup_thread = std::this_thread::get_id();
      ++hangups;
    });
    thread_ = std::jthread{[this] {
      network_.run();
      ended = true;
    }};
  }

  ~Signals() override {
    while (!ended) {
      network_.drain();
      std::this_thread::sleep_for(1ms);
    }
  }

  void meet_a_client() {
    client_ = std::make_unique<TestClient>(at_);
    EXPECT_TRUE(within(5s, [&] { return network_.counters().open == 1; }));
  }
  bool ends() {
    return within(5s, [&] { return ended.load(); });
  }
  std::thread::id thread() const { return thread_.get_id(); }

  Recorder events;
  std::atomic<bool> ended{false};
  std::atomic<int> hangups{0};
  std::atomic<std::thread::id> hangup_thread;

 private:
  net::Network network_{{.timeouts = {.drain = 100s}}, events};
  net::Address at_;
  std::unique_ptr<TestClient> client_;
  std::jthread thread_;
};

TEST_F(Signals, Sigterm_drains) {
  kill(getpid(), SIGTERM);
  EXPECT_TRUE(ends());
}

TEST_F(Signals, Sigint_drains) {
  kill(getpid(), SIGINT);
  EXPECT_TRUE(ends());
}

TEST_F(Signals, The_second_ends_at_once) {
  meet_a_client();
  kill(getpid(), SIGTERM);
  EXPECT_TRUE(within(5s, [&] { return events.drains == 1; }));
  EXPECT_FALSE(ended) << "it waits for the answer";
  kill(getpid(), SIGINT);
  EXPECT_TRUE(ends());
}

TEST_F(Signals, Sighup_calls_on_the_first_loop_and_no_more) {
  for (int i = 1; i <= 2; ++i) {
    kill(getpid(), SIGHUP);
    EXPECT_TRUE(within(5s, [&] { return hangups == i; }));
  }
  EXPECT_EQ(hangup_thread.load(), thread());
  EXPECT_FALSE(ended);
  kill(getpid(), SIGTERM);
  EXPECT_TRUE(ends());
}

// A socket as systemd has it, its name in the environment.
class Notify : public testing::Test {
 protected:
  ~Notify() override { unsetenv("NOTIFY_SOCKET"); }

  void listen_at(const std::string& name) {
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    name.copy(where.sun_path, sizeof where.sun_path - 1);
    if (name.front() == '@') where.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    socket_ = net::Socket{socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
    ASSERT_EQ(bind(socket_.fd(), reinterpret_cast<const sockaddr*>(&where), size), 0);
    setenv("NOTIFY_SOCKET", name.c_str(), 1);
  }
  std::string received() const {
    char text[100];
    const ssize_t size = recv(socket_.fd(), text, sizeof text, 0);
    return size < 0 ? "" : std::string(text, static_cast<std::size_t>(size));
  }
  static std::string name() { return "tidegate-notify-" + std::to_string(getpid()); }

 private:
  net::Socket socket_;
};

TEST_F(Notify, Reaches_a_socket_with_a_file) {
  const std::string path = testing::TempDir() + name();
  listen_at(path);
  EXPECT_TRUE(net::notify("READY=1"));
  EXPECT_EQ(received(), "READY=1");
  unlink(path.c_str());
}

TEST_F(Notify, Reaches_an_abstract_socket) {
  listen_at("@" + name());
  EXPECT_TRUE(net::notify("STOPPING=1"));
  EXPECT_EQ(received(), "STOPPING=1");
}

TEST_F(Notify, Is_false_where_nobody_listens) {
  EXPECT_FALSE(net::notify("READY=1")) << "no NOTIFY_SOCKET";
  for (const std::string& socket :
       {std::string{}, std::string{"/nowhere"}, std::string(200, 'x')}) {
    setenv("NOTIFY_SOCKET", socket.c_str(), 1);
    EXPECT_FALSE(net::notify("READY=1")) << socket;
  }
}

}  // namespace
}  // namespace tidegate::test
