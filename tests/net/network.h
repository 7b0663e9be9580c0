// A network on loopback for tests: it runs on a thread of its own, and clients that block.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tidegate/net/network.h"
#include "tidegate/net/socket.h"

namespace tidegate::test {

using namespace std::chrono_literals;

// Answers each line with itself. `quit` is the last one.
class LineEcho final : public Conversation {
 public:
  explicit LineEcho(std::atomic<std::uint64_t>& lines) : lines_{lines} {}

  void feed(std::string_view bytes) override {
    input_ += bytes;
    std::size_t at = 0;
    for (std::size_t end = 0; !ended_ && (end = input_.find('\n', at)) != std::string::npos;) {
      const std::string_view line = std::string_view{input_}.substr(at, end + 1 - at);
      output_ += line;
      ++lines_;
      ended_ = line == "quit\n";
      at = end + 1;
    }
    input_.erase(0, at);
  }
  std::string_view output() const override { return std::string_view{output_}.substr(sent_); }
  void sent(std::size_t bytes) override {
    sent_ += bytes;
    if (sent_ < output_.size()) return;
    output_.clear();
    sent_ = 0;
  }
  bool want_read() const override { return !ended_; }
  void drain() override { ended_ = true; }
  bool finished() const override { return ended_; }

 private:
  std::atomic<std::uint64_t>& lines_;
  std::string input_;
  std::string output_;
  std::size_t sent_ = 0;
  bool ended_ = false;
};

class Recorder final : public net::Events {
 public:
  void closed(std::string_view, net::Cause cause, std::string_view) override {
    const std::lock_guard lock{mutex_};
    ++causes_[cause];
  }
  void accept_failed(const Error&) override { ++failed_accepts; }
  void draining() override { ++drains; }
  void tls_reloaded(std::string_view) override { ++reloads; }
  void tls_not_reloaded(const Error&) override { ++failed_reloads; }

  int count(net::Cause cause) const {
    const std::lock_guard lock{mutex_};
    const auto found = causes_.find(cause);
    return found == causes_.end() ? 0 : found->second;
  }

  std::atomic<int> failed_accepts{0};
  std::atomic<int> drains{0};
  std::atomic<int> reloads{0};
  std::atomic<int> failed_reloads{0};

 private:
  mutable std::mutex mutex_;
  std::map<net::Cause, int> causes_;
};

// Tries until it holds; false when patience ends first.
template <class Condition>
bool within(std::chrono::milliseconds patience, Condition&& condition) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

class RunningNetwork {
 public:
  explicit RunningNetwork(const net::NetworkOptions& options = {},
                          std::optional<net::TlsFiles> tls = std::nullopt,
                          net::Address address = {.host = "127.0.0.1"})
      : RunningNetwork{options, net::Listen{.address = std::move(address),
                                            .connect = echo(),
                                            .farewell = "full\n",
                                            .tls = std::move(tls)}} {}

  RunningNetwork(const net::NetworkOptions& options, net::Connect connect)
      : RunningNetwork{options, net::Listen{.address = {.host = "127.0.0.1"},
                                            .connect = std::move(connect)}} {}

  RunningNetwork(const net::NetworkOptions& options, net::Listen what) : network{options, events} {
    if (!what.connect) what.connect = echo();
    const auto bound = network.listen(std::move(what));
    EXPECT_TRUE(bound) << (bound ? "" : bound.error().message());
    if (bound) at = *bound;
    thread_ = std::jthread{[this] {
      network.run();
      ended = true;
    }};
  }
  ~RunningNetwork() {
    while (!ended) {  // at most two are needed
      network.drain();
      std::this_thread::sleep_for(1ms);
    }
  }

  std::vector<net::Peer> peers() const {
    const std::lock_guard lock{mutex_};
    return peers_;
  }

  Recorder events;
  std::atomic<std::uint64_t> lines{0};
  std::atomic<bool> ended{false};
  net::Network network;
  net::Address at;

 private:
  net::Connect echo() {
    return [this](const net::Peer& peer) {
      const std::lock_guard lock{mutex_};
      peers_.push_back(peer);
      return std::make_unique<LineEcho>(lines);
    };
  }

  mutable std::mutex mutex_;
  std::vector<net::Peer> peers_;
  std::jthread thread_;
};

class TestClient {
 public:
  explicit TestClient(const net::Address& address) {
    auto connected = net::connect_to(address);
    EXPECT_TRUE(connected) << (connected ? "" : connected.error().message());
    if (connected) socket_ = *std::move(connected);
  }

  bool send(std::string_view bytes) const {
    return ::send(socket_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }
  void end() const { shutdown(socket_.fd(), SHUT_WR); }
  void close() { socket_.close(); }
  // Ends it without a goodbye: what is under way is lost, and the peer is told that it is broken.
  void abort() {
    const linger none{.l_onoff = 1, .l_linger = 0};
    setsockopt(fd(), SOL_SOCKET, SO_LINGER, &none, sizeof none);
    close();
  }

  // So many bytes, or fewer at the end and after ten seconds.
  std::string read(std::size_t bytes) {
    std::string all;
    while (all.size() < bytes && readable()) {
      char some[65536];
      const ssize_t got = recv(socket_.fd(), some, std::min(sizeof some, bytes - all.size()), 0);
      reset = got < 0;
      if (got <= 0) break;
      all.append(some, static_cast<std::size_t>(got));
    }
    return all;
  }
  std::string read_to_end() { return read(~std::size_t{0}); }
  int fd() const { return socket_.fd(); }

  bool reset = false;

 private:
  bool readable() const {
    pollfd ready{.fd = socket_.fd(), .events = POLLIN, .revents = 0};
    return poll(&ready, 1, 10'000) == 1;
  }

  net::Socket socket_;
};

}  // namespace tidegate::test
