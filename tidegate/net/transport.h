// How the bytes of a connection travel: as they are, or in TLS (tls.h).
//
// Thread safety: none; it lives on its connection's event loop. No call blocks. Cost: a system call
// each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tidegate/net/socket.h"

namespace tidegate::net {

struct Io {
  enum class Status {
    kDone,       // so many bytes, at least one
    kWaitRead,   // again when the socket is readable
    kWaitWrite,  // again when it is writable
    kEnd,        // the peer has sent all that it will
    kBroken,     // nothing goes any more
  };
  Status status = Status::kBroken;
  std::size_t bytes = 0;
};

class Transport {
 public:
  explicit Transport(Socket socket) : socket_{std::move(socket)} {}
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  // To be called until it is done before anything else is.
  virtual Io handshake() { return {Io::Status::kDone}; }
  virtual Io read(char* into, std::size_t size);
  virtual Io write(std::string_view bytes);
  // Whether bytes were received that `read` would give without the socket being readable.
  virtual bool holds_bytes() const { return false; }
  // Says that nothing more is sent.
  virtual void end();

  // After the handshake: whom the peer's certificate names, the protocol that ALPN chose, and why
  // it broke. Empty where there is none.
  virtual std::string subject() const { return {}; }
  virtual std::string protocol() const { return {}; }
  virtual std::string problem() const { return {}; }

  const Socket& socket() const { return socket_; }

 private:
  Socket socket_;
};

}  // namespace tidegate::net
