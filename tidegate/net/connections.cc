#include "tidegate/net/connections.h"

#include <algorithm>

namespace tidegate::net {
namespace {

// An eighth of the shortest timeout, so that none is missed by more.
Duration tick_interval(const Timeouts& timeouts) {
  Duration shortest = std::chrono::seconds{4};
  for (const Duration timeout :
       {timeouts.handshake, timeouts.idle, timeouts.write, timeouts.ending, timeouts.drain})
    if (timeout > Duration{0}) shortest = std::min(shortest, timeout);
  return std::max<Duration>(shortest / 8, std::chrono::milliseconds{5});
}

}  // namespace

Connections::Connections(EventLoop& loop, std::size_t index, const Timeouts& timeouts,
                         std::size_t max_output, Events& events)
    : loop_{loop},
      index_{index},
      timeouts_{timeouts},
      interval_{tick_interval(timeouts)},
      events_{events},
      around_{
          .poller = loop.poller(),
          .buffer = loop.buffer(),
          .max_output = std::max<std::size_t>(max_output, 1),
          .closed = [this](Connection& connection, Cause cause) { closed(connection, cause); }} {
  loop_.every(interval_, [this] { tick(); });
}

Connections::~Connections() {
  alive_.clear();
}

void Connections::adopt(std::unique_ptr<Transport> transport, const Connect& connect) {
  Peer peer{.address = peer_of(transport->socket()), .loop = index_};
  auto made = std::make_unique<Connection>(std::move(transport), std::move(peer), connect, around_);
  Connection& connection = *made;
  alive_.emplace(&connection, std::move(made));
  events_.opened(connection.peer().address);
  connection.start();
  if (drained_) connection.drain();
}

std::vector<Connection*> Connections::all() const {
  std::vector<Connection*> list;
  list.reserve(alive_.size());
  for (const auto& entry : alive_) list.push_back(entry.first);
  return list;
}

void Connections::closed(Connection& connection, Cause cause) {
  events_.closed(connection.peer().address, cause, connection.problem());
  const auto found = alive_.find(&connection);
  if (dead_.empty()) loop_.post([this] { bury(); });
  dead_.push_back(std::move(found->second));
  alive_.erase(found);
  load_.fetch_sub(1, std::memory_order_relaxed);
}

void Connections::bury() {
  dead_.clear();
  if (drained_ && alive_.empty()) std::exchange(drained_, nullptr)();
}

void Connections::drain(std::function<void()> done) {
  drained_ = std::move(done);
  drain_end_ = around_.ticks + ticks(timeouts_.drain);
  for (Connection* const connection : all()) connection->drain();
  loop_.post([this] { bury(); });  // when there are none
}

void Connections::close_all() {
  for (Connection* const connection : all()) connection->close(Cause::kDrainTimeout);
}

// Rounded up, and one for the tick that is under way.
Connections::Ticks Connections::ticks(Duration timeout) const {
  if (timeout <= Duration{0}) return ~Ticks{0};
  return static_cast<Ticks>((timeout + interval_ - Duration{1}) / interval_) + 1;
}

void Connections::tick() {
  ++around_.ticks;
  bytes_in_.store(around_.bytes_in, std::memory_order_relaxed);
  bytes_out_.store(around_.bytes_out, std::memory_order_relaxed);
  const bool late = drained_ && timeouts_.drain > Duration{0} && around_.ticks >= drain_end_;
  if (late) return close_all();
  for (Connection* const connection : all()) end_if_late(*connection);
}

void Connections::end_if_late(Connection& connection) {
  const auto silent = [&](Duration timeout) {
    return around_.ticks - connection.last_heard() >= ticks(timeout);
  };
  const auto stuck = [&] {
    return connection.stuck_since() != 0 &&
           around_.ticks - connection.stuck_since() >= ticks(timeouts_.write);
  };
  switch (connection.phase()) {
    case Connection::Phase::kHandshake:
      if (silent(timeouts_.handshake)) connection.close(Cause::kTls);
      return;
    case Connection::Phase::kOpen:
      if (stuck()) return connection.close(Cause::kUnread);
      if (!connection.owes() && silent(timeouts_.idle)) connection.close(Cause::kIdle);
      return;
    case Connection::Phase::kEnding:
      if (silent(timeouts_.ending)) connection.close(Cause::kFinished);
      return;
    case Connection::Phase::kClosed:
      return;
  }
}

}  // namespace tidegate::net
