// Makes bytes arrive just before a drain: holds an event loop in a call of its own, lets it look at
// its sockets once more, and holds it again with nothing but the drain behind.
//
//   HeldLoop held{server.network, 1};
//   held.drain();  client.send("a\n");  held.release();      // the drain finds them unread
#pragma once

#include <array>
#include <latch>

#include "tidegate/net/event_loop.h"
#include "tidegate/net/network.h"

namespace tidegate::test {

class HeldLoop {
 public:
  // Not the first loop, which is where a drain begins.
  HeldLoop(net::Network& network, std::size_t index)
      : network_{network}, loop_{network.loop(index)} {
    hold(holds_[0]);
    holds_[0].entered.wait();
  }
  ~HeldLoop() { release(); }  // after a drain
  HeldLoop(const HeldLoop&) = delete;
  HeldLoop& operator=(const HeldLoop&) = delete;

  void drain() {
    hold(holds_[1]);
    std::latch posted{1};
    network_.loop(0).post([&] {  // from there, as that loop may be done with its own at once
      network_.drain();
      network_.loop(0).post([&] { posted.count_down(); });
    });
    posted.wait();
    holds_[0].release();
    holds_[1].entered.wait();
  }

  void release() {
    for (Hold& hold : holds_) {
      hold.release();
      hold.left.wait();
    }
  }

 private:
  struct Hold {
    std::latch entered{1};
    std::latch released{1};
    std::latch left{1};
    void stay() {
      entered.count_down();
      released.wait();
      left.count_down();
    }
    void release() {
      if (!released.try_wait()) released.count_down();
    }
  };

  void hold(Hold& hold) {
    loop_.post([&hold] { hold.stay(); });
  }

  net::Network& network_;
  net::EventLoop& loop_;
  std::array<Hold, 2> holds_;
};

}  // namespace tidegate::test
