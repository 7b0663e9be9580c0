#include "tidegate/net/event_loop.h"

#include <boost/asio/post.hpp>

namespace tidegate::net {
namespace {

// So often sockets are looked at before other work gets its turn.
constexpr int kTurns = 16;

}  // namespace

EventLoop::EventLoop()
    : work_{context_.get_executor()},
      ready_{context_.get_executor(), poller_.fd()},
      buffer_(kBufferBytes) {
  wait();
}

EventLoop::~EventLoop() {
  ready_.release();  // the poller's
}

void EventLoop::post(std::function<void()> call) {
  boost::asio::post(context_, std::move(call));
}

void EventLoop::every(Duration interval, std::function<void()> call) {
  repeated_.push_back({Timer{context_.get_executor()}, interval, std::move(call)});
  wait_for(repeated_.back());
}

void EventLoop::wait_for(Repeated& repeated) {
  repeated.timer.expires_after(repeated.interval);
  repeated.timer.async_wait([&repeated](const boost::system::error_code& cancelled) {
    if (cancelled) return;
    repeated.call();
    wait_for(repeated);
  });
}

void EventLoop::run() {
  context_.run();
}

void EventLoop::stop() {
  context_.stop();
}

void EventLoop::wait() {
  ready_.async_wait(ready_.wait_read, [this](const boost::system::error_code& cancelled) {
    if (cancelled) return;
    for (int turn = 0; turn < kTurns && !context_.stopped(); ++turn)
      if (poller_.run_ready() == 0) break;
    wait();
  });
}

}  // namespace tidegate::net
