#include "tidegate/net/network.h"

#include <atomic>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <thread>

#include "tidegate/net/acceptor.h"
#include "tidegate/net/event_loop.h"

namespace tidegate::net {
namespace {

constexpr std::chrono::seconds kReloadInterval{1};

using Executor = boost::asio::io_context::executor_type;
using Timer = boost::asio::basic_waitable_timer<
    std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;
using Signals = boost::asio::basic_signal_set<Executor>;

}  // namespace

struct Network::Parts {
  struct Lane {
    Lane(std::size_t index, const NetworkOptions& options, Events& events)
        : connections{loop, index, options.timeouts, options.max_output, events} {}
    EventLoop loop;
    Connections connections;
  };

  Parts(const NetworkOptions& options, Events& observer);

  EventLoop& first() { return lanes.front()->loop; }
  void await_signal();
  void await_reload();
  void drain();
  void end();

  Events& events;
  std::vector<std::unique_ptr<Lane>> lanes;
  Berths berths;
  std::vector<std::unique_ptr<Acceptor>> acceptors;
  std::atomic<int> drains{0};
  Signals signals;
  Timer reload_timer;
  std::function<void()> on_hangup;
};

Network::Parts::Parts(const NetworkOptions& options, Events& observer)
    : events{observer},
      lanes{[&] {
        std::vector<std::unique_ptr<Lane>> made;
        for (std::size_t i = 0; i < std::max<std::size_t>(options.threads, 1); ++i)
          made.push_back(std::make_unique<Lane>(i, options, observer));
        return made;
      }()},
      signals{first().context().get_executor()},
      reload_timer{first().context().get_executor()} {
  berths.most = options.max_connections;
  for (const auto& lane : lanes) {
    berths.loops.push_back(&lane->loop);
    berths.connections.push_back(&lane->connections);
  }
}

void Network::Parts::await_signal() {
  signals.async_wait([this](const boost::system::error_code& cancelled, int signal) {
    if (cancelled) return;
    if (signal != SIGHUP) {
      drain();
    } else if (on_hangup) {
      on_hangup();
    }
    await_signal();
  });
}

void Network::Parts::await_reload() {
  reload_timer.expires_after(kReloadInterval);
  reload_timer.async_wait([this](const boost::system::error_code& cancelled) {
    if (cancelled) return;
    for (const auto& acceptor : acceptors) {
      if (!acceptor->tls()) continue;
      const auto reloaded = acceptor->tls()->reload();
      if (!reloaded) events.tls_not_reloaded(reloaded.error());
      if (reloaded && *reloaded) events.tls_reloaded(acceptor->tls()->files().cert);
    }
    await_reload();
  });
}

void Network::Parts::drain() {
  if (drains.fetch_add(1) > 0) return end();
  events.draining();
  first().post([this] {
    for (const auto& acceptor : acceptors) acceptor->stop();
    for (const auto& lane : lanes)
      lane->loop.post([&lane = *lane] { lane.connections.drain([&lane] { lane.loop.stop(); }); });
  });
}

// By the first loop, as the drain before it: behind the connections that are still on their way.
void Network::Parts::end() {
  first().post([this] {
    for (const auto& lane : lanes)
      lane->loop.post([&lane = *lane] { lane.connections.close_all(); });
  });
}

Network::Network(const NetworkOptions& options, Events& events)
    : parts_{std::make_unique<Parts>(options, events)} {
  std::signal(SIGPIPE, SIG_IGN);
}

Network::~Network() = default;

Expected<Address> Network::listen(Listen what) {
  Service service{
      .connect = std::move(what.connect), .farewell = std::move(what.farewell), .tls = nullptr};
  if (what.tls) {
    auto context = TlsContext::load(*what.tls, what.protocols);
    if (!context) return tl::unexpected{context.error()};
    service.tls = *std::move(context);
  }
  return listen_at(what.address).map([&](Socket listener) {
    Address bound = bound_address(listener, what.address);
    parts_->acceptors.push_back(std::make_unique<Acceptor>(std::move(listener), bound,
                                                           std::move(service), parts_->first(),
                                                           parts_->berths, parts_->events));
    return bound;
  });
}

void Network::run() {
  for (const auto& acceptor : parts_->acceptors) acceptor->start();
  parts_->await_reload();
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < parts_->lanes.size(); ++i)
    threads.emplace_back([&lane = *parts_->lanes[i]] { lane.loop.run(); });
  parts_->first().run();
}

void Network::drain() {
  parts_->drain();
}

void Network::obey_signals(std::function<void()> on_hangup) {
  parts_->on_hangup = std::move(on_hangup);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) parts_->signals.add(signal);
  parts_->await_signal();
}

NetworkCounters Network::counters() const {
  const Berths& berths = parts_->berths;
  NetworkCounters sums{.open = berths.taken(),
                       .accepted = berths.accepted.load(std::memory_order_relaxed),
                       .refused = berths.refused.load(std::memory_order_relaxed)};
  for (const Connections* some : berths.connections) {
    sums.bytes_in += some->bytes_in();
    sums.bytes_out += some->bytes_out();
  }
  return sums;
}

EventLoop& Network::loop(std::size_t index) {
  return parts_->lanes[index]->loop;
}

}  // namespace tidegate::net
