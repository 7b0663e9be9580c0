// The server's side of an HTTP/2 connection, over nghttp2: requests come to a handler in pieces,
// replies go out in pieces, on any number of streams at once. With prior knowledge or by ALPN;
// what nghttp2 is, does not show here.
//
//   Session session{options, handler};      // a Conversation: feed it, send its output
//   ... handler.on_headers(7, {...}); handler.on_end(7);
//   session.start(7, {{":status", "200"}}); session.send(7, bytes); session.finish(7, trailers);
//
// The reply to a stream may be made within its handler's calls or at any later time until on_close.
// Thread safety: none; a session lives on one event loop. Cost: no allocation a request once as
// many streams have been open at once before, but for what nghttp2 makes of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>

#include "tidegate/base/conversation.h"

namespace tidegate::http2 {

struct HeaderField {
  std::string_view name;  // in lower case
  std::string_view value;

  bool operator==(const HeaderField&) const = default;
};

using Headers = std::span<const HeaderField>;
using StreamId = std::int32_t;

// What a peer may do. What is above ends the stream or the connection as HTTP/2 says.
struct Options {
  std::uint32_t max_streams = 1024;                   // open at once
  std::uint32_t max_header_list = 16 * 1024;          // bytes of one request's fields, with 32 each
  std::uint32_t stream_window = 256 * 1024;           // bytes of a request under way
  std::uint32_t connection_window = 4 * 1024 * 1024;  // of all of them
  std::size_t max_output = std::size_t{1} << 20;      // unsent bytes, above which input waits
  std::uint64_t reset_burst = 1000;                   // streams reset by the peer at once, and ...
  std::uint64_t reset_rate = 33;                      // ... a second: above, it is sent away
};

enum class ResetCode : std::uint32_t {
  kNoError = 0,
  kInternalError = 2,
  kRefusedStream = 7,
  kCancel = 8,
};

class Handler {
 public:
  virtual ~Handler() = default;
  // Views live for the call.
  virtual void on_headers(StreamId stream, Headers headers) = 0;
  virtual void on_data(StreamId stream, std::string_view bytes) = 0;
  virtual void on_end(StreamId stream) = 0;    // the request is whole
  virtual void on_close(StreamId stream) = 0;  // answered, reset, or lost with its connection
};

class Session final : public Conversation {
 public:
  Session(const Options& options, Handler& handler);
  ~Session() override;  // tells on_close for every stream that is open

  // A reply: its header, its body in pieces, its trailers. `respond` is a whole reply of a header
  // alone. Calls for a stream that is closed do nothing.
  void start(StreamId stream, Headers headers);
  void send(StreamId stream, std::string_view bytes);
  void finish(StreamId stream, Headers trailers);
  void respond(StreamId stream, Headers headers);
  void reset(StreamId stream, ResetCode code);
  // Once the reply is sent, the peer is asked to send no more of its request.
  void want_no_more(StreamId stream);

  // After replies made outside of the handler's calls: readies their output and tells of it.
  void flush();

  void feed(std::string_view bytes) override;
  std::string_view output() const override;
  void sent(std::size_t bytes) override;
  bool want_read() const override;
  // Says GOAWAY for new streams once the peer has seen a first one, as RFC 9113 6.8 advises;
  // streams that are open are answered.
  void drain() override;
  bool finished() const override;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tidegate::http2
