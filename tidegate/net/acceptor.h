// Accepts the connections of one address and hands each to the event loop with the fewest.
//
// Thread safety: none but where said; it lives on the first event loop. Cost: a call or two for
// each connection. When descriptors run out, it waits a little and tries again.
#pragma once

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tidegate/base/expected.h"
#include "tidegate/net/connections.h"
#include "tidegate/net/event_loop.h"
#include "tidegate/net/events.h"
#include "tidegate/net/tls.h"

namespace tidegate::net {

// Where a connection may go; of all acceptors.
struct Berths {
  // The loops, and the connections on each.
  std::vector<EventLoop*> loops;
  std::vector<Connections*> connections;
  std::size_t most = 0;
  std::atomic<std::uint64_t> accepted{0};
  std::atomic<std::uint64_t> refused{0};

  std::size_t taken() const;
  std::size_t emptiest() const;  // index
};

// What is served at an address.
struct Service {
  Connect connect;
  std::string farewell;             // said to who is refused, before TLS alone
  std::shared_ptr<TlsContext> tls;  // or null
};

class Acceptor final : private Watcher {
 public:
  Acceptor(Socket listener, Address address, Service service, EventLoop& loop, Berths& berths,
           Events& events);
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  const Address& address() const { return address_; }  // from any thread
  const std::shared_ptr<TlsContext>& tls() const { return service_.tls; }

  void start();
  // Accepts those who wait already, then listens no more.
  void stop();

 private:
  void on_ready(std::uint32_t) override;
  bool accept_one();
  void berth(Socket socket);
  void refuse(const Socket& socket);
  void pause();

  Socket listener_;
  const Address address_;
  const std::shared_ptr<const Service> shared_;  // outlives this in calls that are posted
  const Service& service_;
  EventLoop& loop_;
  Berths& berths_;
  Events& events_;
  boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                    boost::asio::wait_traits<std::chrono::steady_clock>,
                                    boost::asio::io_context::executor_type>
      timer_;
  bool listening_ = false;
};

}  // namespace tidegate::net
