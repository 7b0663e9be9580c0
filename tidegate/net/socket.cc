#include "tidegate/net/socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace tidegate::net {
namespace {

constexpr int kBacklog = 4096;

tl::unexpected<Error> fail(const Address& address, const std::string& what) {
  return error("address " + address.to_string(), what);
}

tl::unexpected<Error> fail_by_errno(const Address& address, const char* call) {
  return fail(address, std::string{call} + ": " + std::strerror(errno));
}

void set(int fd, int level, int option, int value) {
  setsockopt(fd, level, option, &value, sizeof value);
}

sockaddr_un unix_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

bool connect_unix(int fd, const std::string& path) {
  const sockaddr_un address = unix_address(path);
  return connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// Makes way for a unix socket: removes the file of one that nobody listens at.
Expected<void> clear_path(const Address& address) {
  struct stat status {};
  if (lstat(address.path.c_str(), &status) != 0) return {};
  if (!S_ISSOCK(status.st_mode)) return fail(address, "a file is there that is no socket");
  const Socket probe{socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (connect_unix(probe.fd(), address.path)) return fail(address, "somebody listens there");
  if (errno == ECONNREFUSED) unlink(address.path.c_str());
  return {};
}

Expected<Socket> listen_at_path(const Address& address) {
  if (auto cleared = clear_path(address); !cleared) return tl::unexpected{cleared.error()};
  Socket made{socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  const sockaddr_un where = unix_address(address.path);
  if (bind(made.fd(), reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0)
    return fail_by_errno(address, "bind");
  if (listen(made.fd(), kBacklog) != 0) return fail_by_errno(address, "listen");
  return made;
}

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Expected<Addresses> resolve(const Address& address, int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  // Every interface: IPv6 takes IPv4 along.
  const char* const host = address.host.empty() ? nullptr : address.host.c_str();
  addrinfo* list = nullptr;
  const int failure = getaddrinfo(host, std::to_string(address.port).c_str(), &hints, &list);
  if (failure != 0) return fail(address, gai_strerror(failure));
  return Addresses{list};
}

Socket listen_at_one(const addrinfo& where) {
  Socket made{socket(where.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  if (!made.is_open()) return made;
  set(made.fd(), SOL_SOCKET, SO_REUSEADDR, 1);
  if (where.ai_family == AF_INET6) set(made.fd(), IPPROTO_IPV6, IPV6_V6ONLY, 0);
  if (bind(made.fd(), where.ai_addr, where.ai_addrlen) == 0 && listen(made.fd(), kBacklog) == 0)
    return made;
  return {};
}

// The family to prefer: of every interface IPv6, which serves both; otherwise what comes first.
bool preferred(const Address& address, const addrinfo& where) {
  return !address.host.empty() || where.ai_family == AF_INET6;
}

std::string text_of(const sockaddr_storage& address, socklen_t size) {
  char host[NI_MAXHOST];
  char port[NI_MAXSERV];
  if (address.ss_family == AF_UNIX) return "unix:";
  if (getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host, sizeof host, port,
                  sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "unknown";
  const bool six = address.ss_family == AF_INET6;
  return (six ? "[" + std::string{host} + "]:" : std::string{host} + ":") + port;
}

}  // namespace

Socket::~Socket() {
  if (fd_ >= 0) ::close(fd_);
}

Expected<Socket> listen_at(const Address& address) {
  if (address.is_unix()) return listen_at_path(address);
  const auto list = resolve(address, AI_PASSIVE);
  if (!list) return tl::unexpected{list.error()};
  for (const bool first_choice : {true, false}) {
    for (const addrinfo* where = list->get(); where != nullptr; where = where->ai_next) {
      if (preferred(address, *where) != first_choice) continue;
      if (Socket made = listen_at_one(*where); made.is_open()) return made;
    }
  }
  return fail_by_errno(address, "cannot listen");
}

Address bound_address(const Socket& socket, const Address& asked) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (asked.is_unix() ||
      getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    return asked;
  const auto bound = Address::parse(text_of(address, size));
  return bound ? Address{.host = asked.host, .port = bound->port} : asked;
}

Socket accept_from(const Socket& listener) {
  // A peer that is gone without a word is found out in ten minutes.
  constexpr int kIdle = 300;
  constexpr int kInterval = 60;
  constexpr int kProbes = 5;
  Socket made{accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
  if (!made.is_open()) return made;
  set(made.fd(), IPPROTO_TCP, TCP_NODELAY, 1);
  set(made.fd(), SOL_SOCKET, SO_KEEPALIVE, 1);
  set(made.fd(), IPPROTO_TCP, TCP_KEEPIDLE, kIdle);
  set(made.fd(), IPPROTO_TCP, TCP_KEEPINTVL, kInterval);
  set(made.fd(), IPPROTO_TCP, TCP_KEEPCNT, kProbes);
  return made;
}

std::string peer_of(const Socket& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getpeername(socket.fd(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return "unknown";
  return text_of(address, size);
}

Expected<Socket> connect_to(const Address& address) {
  if (address.is_unix()) {
    Socket made{socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (connect_unix(made.fd(), address.path)) return made;
    return fail_by_errno(address, "connect");
  }
  const auto list = resolve(address, 0);
  if (!list) return tl::unexpected{list.error()};
  for (const addrinfo* where = list->get(); where != nullptr; where = where->ai_next) {
    Socket made{socket(where->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (connect(made.fd(), where->ai_addr, where->ai_addrlen) != 0) continue;
    set(made.fd(), IPPROTO_TCP, TCP_NODELAY, 1);
    return made;
  }
  return fail_by_errno(address, "connect");
}

}  // namespace tidegate::net
