// All connections of one event loop: owns them, ends those that take too long, and drains them.
//
// Thread safety: `load`, `bytes_in` and `bytes_out` may be called from any thread, the rest from
// the loop's. Cost: a pass over the connections a tick, a few times a second.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "tidegate/base/time.h"
#include "tidegate/net/connection.h"
#include "tidegate/net/event_loop.h"
#include "tidegate/net/events.h"

namespace tidegate::net {

// How long a connection may take over something; 0: for ever.
struct Timeouts {
  Duration handshake = std::chrono::seconds{10};
  Duration idle{0};
  Duration write = std::chrono::seconds{30};  // without the peer taking a byte that it is owed
  Duration ending = std::chrono::seconds{2};  // the peer's end after ours
  Duration drain = std::chrono::seconds{10};  // all of them, when all are to end
};

class Connections {
 public:
  Connections(EventLoop& loop, std::size_t index, const Timeouts& timeouts, std::size_t max_output,
              Events& events);
  ~Connections();
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  // How many there are, those included that are on their way here.
  std::size_t load() const { return load_.load(std::memory_order_relaxed); }
  void expect_one() { load_.fetch_add(1, std::memory_order_relaxed); }
  std::uint64_t bytes_in() const { return bytes_in_.load(std::memory_order_relaxed); }
  std::uint64_t bytes_out() const { return bytes_out_.load(std::memory_order_relaxed); }

  // Takes one that was expected.
  void adopt(std::unique_ptr<Transport> transport, const Connect& connect);

  // Ends all, each behind its last answer; then calls `done`.
  void drain(std::function<void()> done);
  void close_all();

 private:
  using Ticks = std::uint64_t;

  Ticks ticks(Duration timeout) const;
  void tick();
  void end_if_late(Connection& connection);
  void closed(Connection& connection, Cause cause);
  void bury();
  std::vector<Connection*> all() const;

  EventLoop& loop_;
  const std::size_t index_;
  const Timeouts timeouts_;
  const Duration interval_;  // of ticks
  Events& events_;
  Surroundings around_;
  std::unordered_map<Connection*, std::unique_ptr<Connection>> alive_;
  std::vector<std::unique_ptr<Connection>> dead_;  // until nothing of theirs is being called
  std::function<void()> drained_;
  Ticks drain_end_ = 0;
  std::atomic<std::size_t> load_{0};
  std::atomic<std::uint64_t> bytes_in_{0};
  std::atomic<std::uint64_t> bytes_out_{0};
};

}  // namespace tidegate::net
