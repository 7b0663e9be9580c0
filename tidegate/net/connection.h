// A socket and the conversation that it carries: reads and feeds, sends what is to be sent, and
// ends when all is said.
//
// Thread safety: none; it lives on one event loop. Cost of a batch of requests: a read and a send.
// Between requests it holds no buffer of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tidegate/base/conversation.h"
#include "tidegate/net/events.h"
#include "tidegate/net/poller.h"
#include "tidegate/net/transport.h"

namespace tidegate::net {

// What is known of the other end.
struct Peer {
  std::string address = {};   // `10.1.2.3:4567`, `unix:`
  std::string subject = {};   // of its certificate, empty without one
  std::string protocol = {};  // chosen by ALPN, empty without it
  std::size_t loop = 0;       // the event loop that serves it: 0, 1, ...
};

using Connect = std::function<std::unique_ptr<Conversation>(const Peer& peer)>;

class Connection;

// What the connections of one loop share.
struct Surroundings {
  Poller& poller;
  std::vector<char>& buffer;
  std::size_t max_output;
  std::function<void(Connection&, Cause)> closed;  // it may go, but not before the call returns
  std::uint64_t ticks = 0;                         // time, coarsely
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
};

class Connection final : private Watcher {
 public:
  Connection(std::unique_ptr<Transport> transport, Peer peer, Connect connect,
             Surroundings& around);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void start();

  // Reads what has arrived until now, answers it, and ends; after what else the conversation wants
  // to read, where its protocol ends with a word of the peer's.
  void drain();

  // Ends without another word.
  void close(Cause cause);

  enum class Phase : std::uint8_t {
    kHandshake,
    kOpen,
    kEnding,  // all is sent; what still comes is dropped until the peer ends as well
    kClosed,
  };
  Phase phase() const { return phase_; }
  const Peer& peer() const { return peer_; }
  std::string problem() const { return transport_->problem(); }

  // In ticks: when it entered its phase or was last heard; since when its output has been stuck, 0
  // when it is not.
  std::uint64_t last_heard() const { return last_heard_; }
  std::uint64_t stuck_since() const { return stuck_since_; }
  bool owes() const { return conversation_ && !conversation_->output().empty(); }

 private:
  void on_ready(std::uint32_t readiness) override;
  void handshake();
  void open();
  void read();
  Io::Status read_once();
  bool may_read() const;
  bool counts_what_is_left() const;
  std::size_t read_size() const;
  void tell_to_drain();
  void flush();
  bool send();
  void end();
  void discard();
  void watch_for_what_is_needed();
  void watch(std::uint32_t readiness);

  Surroundings& around_;
  std::unique_ptr<Transport> transport_;
  Peer peer_;
  Connect connect_;
  std::unique_ptr<Conversation> conversation_;
  std::uint64_t last_heard_;
  std::uint64_t stuck_since_ = 0;
  std::size_t drain_left_ = 0;  // bytes to be read before the conversation is told to drain
  std::uint32_t watched_ = kNothing;
  std::uint32_t send_waits_for_ = kNothing;
  Phase phase_ = Phase::kHandshake;
  bool reading_ = false;  // inside of read(): an answer needs no flush of its own
  bool draining_ = false;
  bool told_to_drain_ = false;
  bool peer_ended_ = false;
};

}  // namespace tidegate::net
