// Ports of this machine, for servers that a benchmark starts.
//
// Thread safety: pure, but for the system's state.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace tidegate::bench {

inline sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

inline int free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address), size) != 0) std::exit(1);
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  close(fd);
  return ntohs(address.sin_port);
}

inline bool answers(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  const bool connected =
      connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(fd);
  return connected;
}

// Ends the benchmark when nothing listens there within ten seconds.
inline void wait_until_it_answers(int port) {
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds{10};
  while (!answers(port)) {
    if (std::chrono::steady_clock::now() > patience) {
      std::fprintf(stderr, "no server at port %d\n", port);
      std::exit(1);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
}

}  // namespace tidegate::bench
