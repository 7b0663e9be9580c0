// One thread's events: the sockets of its connections, by a poller, and whatever else asynchronous
// lives there, by an io_context.
//
//   EventLoop loop;  loop.post([] { ... });  loop.run();  loop.stop();
//
// Connections are polled in a set of their own, nested in that of the io_context, so that a request
// costs one call to read and one to answer it, and no operation to be started anew. Thread safety:
// `post` and `stop` may be called from any thread, the rest from the thread that runs it, or while
// none does. Cost of a turn: three system calls, for up to 128 sockets; while all goes on, one.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <functional>
#include <list>
#include <vector>

#include "tidegate/base/time.h"
#include "tidegate/net/poller.h"

namespace tidegate::net {

class EventLoop {
 public:
  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  boost::asio::io_context& context() { return context_; }
  Poller& poller() { return poller_; }

  // What a read of any of its connections may be read into.
  std::vector<char>& buffer() { return buffer_; }

  void post(std::function<void()> call);
  // Calls it every so often until the loop stops.
  void every(Duration interval, std::function<void()> call);

  void run();
  void stop();

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{64} * 1024;

  using Timer =
      boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                        boost::asio::wait_traits<std::chrono::steady_clock>,
                                        boost::asio::io_context::executor_type>;
  struct Repeated {
    Timer timer;
    Duration interval;
    std::function<void()> call;
  };

  void wait();
  static void wait_for(Repeated& repeated);

  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  Poller poller_;
  boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type> ready_;
  std::list<Repeated> repeated_;
  std::vector<char> buffer_;
};

}  // namespace tidegate::net
