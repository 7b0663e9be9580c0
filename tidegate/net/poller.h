// Tells which sockets are ready, for the sockets of one event loop: an epoll set.
//
//   poller.watch(fd, kReadable, watcher);   ...   poller.run_ready();   // watcher.on_ready(...)
//
// Level-triggered, so that a socket that is ready stays so: no call to the kernel is needed a
// request but the one that reads. Thread safety: none; it lives on one event loop. Cost: a system
// call for each change of interest, and one for up to 128 sockets that are ready.
#pragma once

#include <cstdint>

#include "tidegate/net/socket.h"

namespace tidegate::net {

// What a socket is ready for. An error or a hang-up is told as both.
enum Readiness : std::uint32_t { kNothing = 0, kReadable = 1, kWritable = 2 };

class Watcher {
 public:
  virtual void on_ready(std::uint32_t readiness) = 0;

 protected:
  ~Watcher() = default;
};

class Poller {
 public:
  Poller();

  // The descriptor that is readable while any socket is ready.
  int fd() const { return epoll_.fd(); }

  void watch(int fd, std::uint32_t readiness, Watcher& watcher);
  void change(int fd, std::uint32_t readiness, Watcher& watcher);
  // A watcher may be forgotten in any on_ready, also in another one's.
  void forget(int fd, Watcher& watcher);

  // Calls on_ready of some that are ready now, and returns how many there were.
  int run_ready();

 private:
  static constexpr int kAtOnce = 128;

  Socket epoll_;
  Watcher* ready_[kAtOnce] = {};  // of the present run
  int count_ = 0;
};

}  // namespace tidegate::net
