// A stream of bytes to a Redis: TCP, TLS over it, or a unix socket.
//
// Thread safety: none; it lives on one event loop, and handlers are called there. Cost: that of the
// socket; with TLS, that of the cipher too.
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tidegate/store/redis/options.h"

namespace tidegate::redis {

namespace asio = boost::asio;
using boost::system::error_code;

class Stream {
 public:
  using Executor = asio::io_context::executor_type;
  using Socket = asio::basic_stream_socket<asio::generic::stream_protocol, Executor>;

  // What is passed must outlive the stream.
  Stream(asio::io_context& loop, const RedisOptions& options, asio::ssl::context* tls);

  // Looks the host up, connects, and agrees on TLS.
  using Done = std::function<void(error_code)>;
  void connect(Done done);

  template <class Handler>
  void read_some(asio::mutable_buffer into, Handler&& done) {
    tls_ ? tls_->async_read_some(into, std::forward<Handler>(done))
         : socket_.async_read_some(into, std::forward<Handler>(done));
  }
  template <class Handler>
  void write(asio::const_buffer from, Handler&& done) {
    tls_ ? asio::async_write(*tls_, from, std::forward<Handler>(done))
         : asio::async_write(socket_, from, std::forward<Handler>(done));
  }

  // Handlers that wait are called with an error.
  void close();

 private:
  using Endpoint = asio::generic::stream_protocol::endpoint;
  using Resolver = asio::ip::basic_resolver<asio::ip::tcp, Executor>;

  void look_up(Done done);
  void connect_to(const std::vector<Endpoint>& endpoints, Done done);
  void connected(Done done);
  void agree_on_tls(Done done);

  const RedisOptions& options_;
  Resolver resolver_;
  Socket socket_;
  std::optional<asio::ssl::stream<Socket&>> tls_;
};

}  // namespace tidegate::redis
