// A server's network: event loops, a thread each, and the addresses where they listen.
//
//   Network network{{.threads = 2}, events};
//   network.listen({.address = ..., .connect = [](const Peer& peer) { return ...; }});
//   network.run();                        // until drained
//
// A conversation is made for each connection, on the thread of the loop that serves it, and is used
// on that thread alone. Thread safety: `listen` is for before `run`; `drain`, `counters` and
// `addresses` may be called from any thread. Cost of a batch of requests: a read and a send.
// Making one ignores SIGPIPE, as OpenSSL leaves no other choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tidegate/base/expected.h"
#include "tidegate/net/address.h"
#include "tidegate/net/connections.h"
#include "tidegate/net/events.h"
#include "tidegate/net/tls.h"

namespace tidegate::net {

struct NetworkOptions {
  std::size_t threads = 1;
  std::size_t max_connections = 10'000;
  std::size_t max_output = std::size_t{1} << 20;  // unsent to one peer: above it, input waits
  Timeouts timeouts = {};
};

struct Listen {
  Address address;
  Connect connect;
  std::string farewell = {};  // said to whom is refused for there being too many
  std::optional<TlsFiles> tls = std::nullopt;
  std::vector<std::string> protocols = {};  // offered by ALPN
};

struct NetworkCounters {
  std::size_t open = 0;
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;
  std::uint64_t bytes_in = 0;  // as of a moment ago
  std::uint64_t bytes_out = 0;
};

class Network {
 public:
  Network(const NetworkOptions& options, Events& events);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  // The address with its real port.
  Expected<Address> listen(Listen what);

  // Serves until `drain` has done its work. The calling thread is the first loop's.
  void run();

  // Listens no more, answers what was sent until now, and ends each connection behind its last
  // answer. Called again, it ends them at once.
  void drain();

  // While it runs: SIGTERM and SIGINT drain. SIGHUP calls `on_hangup`, on the first loop.
  void obey_signals(std::function<void()> on_hangup);

  NetworkCounters counters() const;
  EventLoop& loop(std::size_t index);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tidegate::net
