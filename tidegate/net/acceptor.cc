#include "tidegate/net/acceptor.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tidegate::net {
namespace {

constexpr int kAtOnce = 64;
constexpr std::chrono::milliseconds kPause{100};

}  // namespace

std::size_t Berths::taken() const {
  std::size_t sum = 0;
  for (const Connections* some : connections) sum += some->load();
  return sum;
}

std::size_t Berths::emptiest() const {
  const auto less = [](const Connections* a, const Connections* b) {
    return a->load() < b->load();
  };
  return static_cast<std::size_t>(std::min_element(connections.begin(), connections.end(), less) -
                                  connections.begin());
}

Acceptor::Acceptor(Socket listener, Address address, Service service, EventLoop& loop,
                   Berths& berths, Events& events)
    : listener_{std::move(listener)},
      address_{std::move(address)},
      shared_{std::make_shared<Service>(std::move(service))},
      service_{*shared_},
      loop_{loop},
      berths_{berths},
      events_{events},
      timer_{loop.context().get_executor()} {}

Acceptor::~Acceptor() {
  if (listening_) loop_.poller().forget(listener_.fd(), *this);
  if (listener_.is_open() && address_.is_unix()) unlink(address_.path.c_str());
}

void Acceptor::start() {
  listening_ = true;
  loop_.poller().watch(listener_.fd(), kReadable, *this);
}

void Acceptor::on_ready(std::uint32_t) {
  for (int i = 0; i < kAtOnce; ++i)
    if (!accept_one()) return;
}

// False when nobody waits, or nobody can be let in just now.
bool Acceptor::accept_one() {
  Socket socket = accept_from(listener_);
  if (!socket.is_open()) {
    if (errno == ECONNABORTED || errno == EINTR) return true;
    if (errno != EAGAIN && errno != EWOULDBLOCK) pause();
    return false;
  }
  if (berths_.taken() >= berths_.most) {
    refuse(socket);
  } else {
    berth(std::move(socket));
  }
  return true;
}

void Acceptor::berth(Socket socket) {
  const std::size_t where = berths_.emptiest();
  Connections& there = *berths_.connections[where];
  there.expect_one();
  berths_.accepted.fetch_add(1, std::memory_order_relaxed);
  auto transport = service_.tls ? service_.tls->accept(std::move(socket))
                                : std::make_unique<Transport>(std::move(socket));
  // A function that is posted can be copied; so its transport is held by a pointer that can.
  berths_.loops[where]->post([&there, shared = shared_,
                              held = std::make_shared<std::unique_ptr<Transport>>(std::move(
                                  transport))] { there.adopt(std::move(*held), shared->connect); });
}

void Acceptor::refuse(const Socket& socket) {
  berths_.refused.fetch_add(1, std::memory_order_relaxed);
  events_.refused(peer_of(socket));
  const std::string_view farewell = service_.tls ? std::string_view{} : service_.farewell;
  send(socket.fd(), farewell.data(), farewell.size(), MSG_NOSIGNAL);
  shutdown(socket.fd(), SHUT_WR);
}

void Acceptor::pause() {
  events_.accept_failed({"address " + address_.to_string(), std::strerror(errno)});
  listening_ = false;
  loop_.poller().forget(listener_.fd(), *this);
  timer_.expires_after(kPause);
  timer_.async_wait([this](const boost::system::error_code& cancelled) {
    if (!cancelled && listener_.is_open()) start();
  });
}

void Acceptor::stop() {
  while (listening_ && accept_one()) {
  }
  timer_.cancel();
  if (std::exchange(listening_, false)) loop_.poller().forget(listener_.fd(), *this);
  if (address_.is_unix()) unlink(address_.path.c_str());
  listener_.close();
}

}  // namespace tidegate::net
