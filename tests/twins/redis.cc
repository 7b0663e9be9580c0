#include "tests/twins/redis.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "tidegate/wire/resp_request.h"

namespace tidegate::test {
namespace {

constexpr int kPatienceMs = 10'000;
constexpr int kBetweenTriesMs = 5;

using Nodes = std::span<const resp::ReplyNode>;

// The reply that begins at the first node; takes off what it was made of.
Reply taken_from(Nodes& nodes) {
  const resp::ReplyNode& node = nodes.front();
  nodes = nodes.subspan(1);
  Reply reply{node.type, node.integer, std::string{node.text}, {}};
  for (std::size_t i = 0; i < node.elements; ++i) reply.elements.push_back(taken_from(nodes));
  return reply;
}

}  // namespace

Redis::Redis() : received_(std::size_t{256} * 1024) {
  std::string name = (std::filesystem::temp_directory_path() / "tidegate-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error{"no temporary folder"};
  folder_ = name;
  socket_path_ = folder_ + "/socket";
  start();
  connect();
}

Redis::~Redis() {
  close(fd_);
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  std::filesystem::remove_all(folder_);
}

void Redis::start() {
  pid_ = fork();
  if (pid_ > 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  execlp("redis-server", "redis-server", "--port", "0", "--unixsocket", socket_path_.c_str(),
         "--save", "", "--dir", folder_.c_str(), nullptr);
  _exit(127);
}

bool Redis::connect_once() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, socket_path_.c_str(), sizeof address.sun_path - 1);
  fd_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return true;
  close(fd_);
  return false;
}

void Redis::connect() {
  for (int waited = 0; waited < kPatienceMs; waited += kBetweenTriesMs) {
    if (connect_once()) return;
    poll(nullptr, 0, kBetweenTriesMs);
  }
  throw std::runtime_error{"redis-server does not start"};
}

void Redis::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) throw std::runtime_error{"Redis takes nothing"};
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

Reply Redis::receive() {
  for (;;) {
    pollfd readable{fd_, POLLIN, 0};
    if (poll(&readable, 1, kPatienceMs) != 1) throw std::runtime_error{"Redis does not answer"};
    const ssize_t got = read(fd_, received_.data(), received_.size());
    if (got <= 0) throw std::runtime_error{"Redis has gone"};
    reader_.feed({received_.data(), static_cast<std::size_t>(got)});
    const auto next = reader_.next();
    if (next == resp::ReplyReader::Next::kError) throw std::runtime_error{reader_.error()};
    if (next == resp::ReplyReader::Next::kMore) continue;
    Nodes nodes = reader_.reply();
    Reply reply = taken_from(nodes);
    reader_.next();  // nothing more; lets go of the bytes
    return reply;
  }
}

Reply Redis::ask(std::span<const std::string_view> words) {
  std::string request;
  resp::append_request(request, words);
  send(request);
  return receive();
}

}  // namespace tidegate::test
