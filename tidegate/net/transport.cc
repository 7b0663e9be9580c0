#include "tidegate/net/transport.h"

#include <sys/socket.h>

#include <cerrno>

namespace tidegate::net {
namespace {

Io failed(Io::Status would_block) {
  const bool again = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  return {again ? would_block : Io::Status::kBroken};
}

}  // namespace

Io Transport::read(char* into, std::size_t size) {
  const ssize_t got = recv(socket_.fd(), into, size, 0);
  if (got > 0) return {Io::Status::kDone, static_cast<std::size_t>(got)};
  return got == 0 ? Io{Io::Status::kEnd} : failed(Io::Status::kWaitRead);
}

Io Transport::write(std::string_view bytes) {
  const ssize_t sent = send(socket_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent > 0) return {Io::Status::kDone, static_cast<std::size_t>(sent)};
  return failed(Io::Status::kWaitWrite);
}

void Transport::end() {
  shutdown(socket_.fd(), SHUT_WR);
}

}  // namespace tidegate::net
