// A whole server inside the test: real sockets, settings as a user gives them, its log.
//
//   const Running running{{{"max-memory", "64m"}}};
//   running.say("PING\r\n")
//
// Its clock stands still. Thread safety: `say` may be called from any thread.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "tests/server/stream.h"
#include "tidegate/base/clock.h"
#include "tidegate/net/socket.h"
#include "tidegate/server/log.h"
#include "tidegate/server/read_settings.h"
#include "tidegate/server/server.h"

namespace tidegate::test {

using Flags = std::map<std::string, std::string>;

class Running {
 public:
  explicit Running(Flags flags = {}) {
    flags.try_emplace("resp", "127.0.0.1:0");
    flags.try_emplace("threads", "2");
    const auto settings = server::read_settings({.flags = std::move(flags)});
    EXPECT_TRUE(settings) << (settings ? "" : settings.error().message());
    auto started = server::Server::start(settings.value(), "1.2.3", clock_, log_);
    EXPECT_TRUE(started) << (started ? "" : started.error().message());
    server_ = *std::move(started);
    thread_ = std::jthread{[this] { server_->run(); }};
  }
  ~Running() { stop(); }

  void stop() {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
  }

  // Says something on a connection of its own and reads to its end.
  std::string say(std::string_view bytes, std::size_t address = 0) const {
    const auto socket = net::connect_to(server_->addresses()[address]);
    EXPECT_TRUE(socket) << (socket ? "" : socket.error().message());
    send(socket->fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    shutdown(socket->fd(), SHUT_WR);
    std::string all;
    char some[4096];
    for (ssize_t got = 0; (got = recv(socket->fd(), some, sizeof some, 0)) > 0;)
      all.append(some, static_cast<std::size_t>(got));
    return all;
  }

  bool logged(const std::string& words) const {
    return stream.text().find(words) != std::string::npos;
  }
  const server::Server& server() const { return *server_; }

  Stream stream;

 private:
  ManualClock clock_;
  server::Log log_{server::LogLevel::kDebug, server::LogFormat::kText, clock_, stream.file()};
  std::unique_ptr<server::Server> server_;
  std::jthread thread_;
};

inline std::string written(const std::string& name, const std::string& text) {
  std::string path = testing::TempDir() + "tidegate-" + std::to_string(getpid()) + "-" + name;
  std::ofstream{path} << text;
  return path;
}

}  // namespace tidegate::test
