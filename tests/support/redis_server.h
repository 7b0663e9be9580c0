// A Redis of the test's own: redis-server on a free port and a unix socket, in a folder of its own,
// ended by its process number; and asked one request at a time by the side door, the unix socket.
//
//   RedisServer redis;
//   RedisServer redis{{.program = "valkey-server", .settings = {"maxmemory-policy allkeys-lru"}}};
//   redis.url()                            // redis://127.0.0.1:PORT
//   redis.ask({"SET", "k", "v"}).text      // OK
//   redis.stop(); redis.go_on();           // SIGSTOP, SIGCONT
//
// It does not outlive the test, however that ends. Thread safety: none. Cost: some 20 ms to start;
// what takes longer than ten seconds throws.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tidegate/wire/resp_reply.h"
#include "tidegate/wire/resp_request.h"

namespace tidegate::test {

// A reply on its own: what ReplyReader shows, kept.
struct RedisReply {
  using Type = resp::ReplyNode::Type;

  Type type = Type::kNull;
  std::int64_t integer = 0;
  std::string text;
  std::vector<RedisReply> elements;

  bool null() const { return type == Type::kNull; }
  bool error() const { return type == Type::kError; }

  // The reply that begins at the first node; takes off what it was made of.
  static RedisReply taken_from(std::span<const resp::ReplyNode>& nodes) {
    const resp::ReplyNode& node = nodes.front();
    nodes = nodes.subspan(1);
    RedisReply reply{node.type, node.integer, std::string{node.text}, {}};
    for (std::size_t i = 0; i < node.elements; ++i) reply.elements.push_back(taken_from(nodes));
    return reply;
  }
};

// A folder that goes with its owner.
class TestFolder {
 public:
  TestFolder() : path_{(std::filesystem::temp_directory_path() / "tidegate-XXXXXX").string()} {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error{"no temporary folder"};
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const { return path_ + "/" + std::string{name}; }
  std::string write(std::string_view name, std::string_view text) const {
    std::ofstream{file(name)} << text;
    return file(name);
  }

 private:
  std::string path_;
};

inline int any_free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool bound = bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  close(fd);
  if (!bound) throw std::runtime_error{"no free port"};
  return ntohs(address.sin_port);
}

// A port that was free a moment ago. A node of a cluster has a second one 10000 above.
inline int free_port() {
  for (int tries = 0; tries < 1'000; ++tries)
    if (const int port = any_free_port(); port <= 55'535) return port;
  throw std::runtime_error{"no free port below 55536"};
}

// One connection to a unix socket, one request at a time.
class RedisTalk {
 public:
  explicit RedisTalk(const std::string& socket_path)
      : fd_{socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socket_path.copy(address.sun_path, sizeof address.sun_path - 1);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
    close(fd_);
    throw std::runtime_error{"no server at " + socket_path};
  }
  ~RedisTalk() { close(fd_); }
  RedisTalk(const RedisTalk&) = delete;
  RedisTalk& operator=(const RedisTalk&) = delete;

  RedisReply ask(std::span<const std::string_view> words) {
    std::string bytes;
    resp::append_request(bytes, words);
    send(bytes);
    return receive();
  }

 private:
  static constexpr int kPatienceMs = 10'000;

  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) throw std::runtime_error{"Redis takes nothing"};
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  RedisReply receive() {
    for (;;) {
      pollfd readable{fd_, POLLIN, 0};
      if (poll(&readable, 1, kPatienceMs) != 1) throw std::runtime_error{"Redis does not answer"};
      const ssize_t got = read(fd_, received_.data(), received_.size());
      if (got <= 0) throw std::runtime_error{"Redis has gone"};
      reader_.feed({received_.data(), static_cast<std::size_t>(got)});
      const auto next = reader_.next();
      if (next == resp::ReplyReader::Next::kError) throw std::runtime_error{reader_.error()};
      if (next == resp::ReplyReader::Next::kMore) continue;
      std::span<const resp::ReplyNode> nodes = reader_.reply();
      RedisReply reply = RedisReply::taken_from(nodes);
      reader_.next();  // nothing more; lets go of the bytes
      return reply;
    }
  }

  int fd_;
  std::array<char, std::size_t{64} * 1024> received_;
  resp::ReplyReader reader_;
};

struct RedisServerOptions {
  std::string program = "redis-server";
  std::vector<std::string> settings = {};  // lines of its configuration file
  bool tls = false;                        // the port speaks TLS, with `certificate` and `key`
  std::string certificate = {};
  std::string key = {};
  std::string client_ca = {};  // wanted from clients when given
};

class RedisServer {
 public:
  using Options = RedisServerOptions;

  explicit RedisServer(Options options = {}) : options_{std::move(options)}, port_{free_port()} {
    start();
  }
  ~RedisServer() { end(); }
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  int port() const { return port_; }
  std::string socket_path() const { return folder_.file("socket"); }
  std::string url() const {
    return (options_.tls ? "rediss://127.0.0.1:" : "redis://127.0.0.1:") + std::to_string(port_);
  }
  const TestFolder& folder() const { return folder_; }
  pid_t pid() const { return pid_; }

  RedisReply ask(std::initializer_list<std::string_view> words) {
    return talk_->ask({words.begin(), words.size()});
  }
  RedisReply ask(std::span<const std::string_view> words) { return talk_->ask(words); }

  void stop() const { kill(pid_, SIGSTOP); }
  void go_on() const { kill(pid_, SIGCONT); }

  // At once, without saving; its states are gone.
  void end() {
    talk_.reset();
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

  // Again, on the same port.
  void start() {
    write_settings();
    const int log = spawn();
    const std::string said = read_until_ready(log);
    close(log);
    if (!said.empty()) throw std::runtime_error{options_.program + " does not start: " + said};
    talk_ = std::make_unique<RedisTalk>(socket_path());
  }

 private:
  void write_settings() const {
    std::string text = "bind 127.0.0.1\nsave \"\"\ndaemonize no\n";
    text += "dir " + folder_.path() + "\nunixsocket " + socket_path() + "\n";
    text += (options_.tls ? "port 0\ntls-port " : "port ") + std::to_string(port_) + "\n";
    if (options_.tls)
      text += "tls-cert-file " + options_.certificate + "\ntls-key-file " + options_.key +
              (options_.client_ca.empty() ? "\ntls-auth-clients no\n"
                                          : "\ntls-ca-cert-file " + options_.client_ca + "\n");
    for (const std::string& line : options_.settings) text += line + "\n";
    folder_.write("redis.conf", text);
  }

  // Returns the end of a pipe from which its log is read.
  int spawn() {
    int log[2];
    if (pipe2(log, O_CLOEXEC) != 0) throw std::runtime_error{"no pipe"};
    const std::string settings = folder_.file("redis.conf");
    const pid_t test = getpid();
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != test) _exit(127);
      dup2(log[1], STDOUT_FILENO);
      dup2(log[1], STDERR_FILENO);
      execlp(options_.program.c_str(), options_.program.c_str(), settings.c_str(), nullptr);
      _exit(127);
    }
    close(log[1]);
    return log[0];
  }

  // What it said when it ended instead.
  static std::string read_until_ready(int log) {
    std::string said;
    for (;;) {
      pollfd readable{log, POLLIN, 0};
      if (poll(&readable, 1, 10'000) != 1) return said + "(nothing for ten seconds)";
      std::array<char, 4096> bytes;
      const ssize_t got = read(log, bytes.data(), bytes.size());
      if (got <= 0) return said + "(it ended)";
      said.append(bytes.data(), static_cast<std::size_t>(got));
      if (said.find("eady to accept connections") != std::string::npos) return {};
    }
  }

  const Options options_;
  const int port_;
  const TestFolder folder_;
  pid_t pid_ = 0;
  std::unique_ptr<RedisTalk> talk_;
};

}  // namespace tidegate::test
