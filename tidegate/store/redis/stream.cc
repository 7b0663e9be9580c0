#include "tidegate/store/redis/stream.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>

namespace tidegate::redis {
namespace {

namespace ssl = asio::ssl;
using asio::ip::tcp;

const std::string& server_name(const RedisOptions& options) {
  return options.tls->server_name.empty() ? options.address.host : options.tls->server_name;
}

}  // namespace

Stream::Stream(asio::io_context& loop, const RedisOptions& options, ssl::context* tls)
    : options_{options}, resolver_{loop.get_executor()}, socket_{loop.get_executor()} {
  if (tls != nullptr) tls_.emplace(socket_, *tls);
}

void Stream::connect(Done done) {
  if (options_.address.is_unix())
    return connect_to({asio::local::stream_protocol::endpoint{options_.address.path}},
                      std::move(done));
  error_code not_numeric;
  const auto address = asio::ip::make_address(options_.address.host, not_numeric);
  if (not_numeric) return look_up(std::move(done));
  connect_to({tcp::endpoint{address, options_.address.port}}, std::move(done));
}

void Stream::look_up(Done done) {
  resolver_.async_resolve(
      options_.address.host, std::to_string(options_.address.port),
      [this, done = std::move(done)](error_code problem, const tcp::resolver::results_type& found) {
        if (problem) return done(problem);
        std::vector<Endpoint> endpoints;
        for (const auto& each : found) endpoints.emplace_back(each.endpoint());
        connect_to(endpoints, done);
      });
}

void Stream::connect_to(const std::vector<Endpoint>& endpoints, Done done) {
  asio::async_connect(socket_, endpoints,
                      [this, done = std::move(done)](error_code problem, const Endpoint&) {
                        problem ? done(problem) : connected(done);
                      });
}

void Stream::connected(Done done) {
  error_code ignored;  // no such options of a unix socket
  socket_.set_option(tcp::no_delay{true}, ignored);
  socket_.set_option(asio::socket_base::keep_alive{true}, ignored);
  tls_ ? agree_on_tls(std::move(done)) : done({});
}

void Stream::agree_on_tls(Done done) {
  const std::string& name = server_name(options_);
  SSL_set_tlsext_host_name(tls_->native_handle(), name.c_str());
  tls_->set_verify_callback(ssl::host_name_verification{name});
  tls_->async_handshake(ssl::stream_base::client, std::move(done));
}

void Stream::close() {
  error_code ignored;
  resolver_.cancel();
  socket_.close(ignored);
}

}  // namespace tidegate::redis
