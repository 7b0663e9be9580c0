// Sockets as the kernel has them: a descriptor that closes itself, and the few calls that a server
// and a client need. Sockets that listen or were accepted do not block.
//
// Thread safety: as an int.
#pragma once

#include <string>
#include <utility>

#include "tidegate/base/expected.h"
#include "tidegate/net/address.h"

namespace tidegate::net {

class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) : fd_{fd} {}
  Socket(Socket&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Socket();

  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void close() { *this = Socket{}; }

 private:
  int fd_ = -1;
};

// A socket that listens. The file of a unix socket that nobody listens at any more is replaced; one
// that somebody does is an error, as is an address in use.
Expected<Socket> listen_at(const Address& address);

// The address that a listening socket really has, its port above all.
Address bound_address(const Socket& socket, const Address& asked);

// A connection that waits in the backlog; not open, with errno, when none does.
Socket accept_from(const Socket& listener);

// What is at the other end: `10.1.2.3:4567`, or `unix:`.
std::string peer_of(const Socket& socket);

// A connected socket, which blocks: for a program that has nothing else to do.
Expected<Socket> connect_to(const Address& address);

}  // namespace tidegate::net
