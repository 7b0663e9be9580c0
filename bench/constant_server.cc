// A server that answers every request with the same bytes: what serving costs when deciding costs
// nothing. One thread, epoll, no more of the protocol than that a request begins with a `*`, which
// keys here never hold.
//
//   constant_server PORT
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

constexpr std::string_view kAnswer = "*5\r\n:0\r\n:5\r\n:4\r\n:-1\r\n:12\r\n";
constexpr std::size_t kBufferBytes = std::size_t{64} * 1024;

int listen_at(std::uint16_t port) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener, 512) != 0) {
    std::perror("constant_server");
    std::exit(1);
  }
  return listener;
}

void watch(int epoll, int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

void welcome(int epoll, int listener) {
  const int client = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
  if (client < 0) return;
  const int yes = 1;
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  watch(epoll, client);
}

void answer(int client, const std::string& answers) {
  static char bytes[kBufferBytes];
  const ssize_t got = read(client, bytes, sizeof bytes);
  if (got <= 0) {
    close(client);
    return;
  }
  const auto requests = static_cast<std::size_t>(std::count(bytes, bytes + got, '*'));
  // Blocking: these clients take what they asked for.
  for (std::size_t left = requests * kAnswer.size(); left > 0;) {
    const ssize_t sent = send(client, answers.data(), left, MSG_NOSIGNAL);
    if (sent <= 0) return;
    left -= static_cast<std::size_t>(sent);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: constant_server PORT\n");
    return 2;
  }
  std::string answers;
  while (answers.size() < kBufferBytes * kAnswer.size()) answers += kAnswer;
  const int listener = listen_at(static_cast<std::uint16_t>(std::strtoul(argv[1], nullptr, 10)));
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  watch(epoll, listener);
  while (true) {
    epoll_event events[128];
    const int ready = epoll_wait(epoll, events, 128, -1);
    for (int i = 0; i < ready; ++i) {
      if (events[i].data.fd == listener) {
        welcome(epoll, listener);
      } else {
        answer(events[i].data.fd, answers);
      }
    }
  }
}
