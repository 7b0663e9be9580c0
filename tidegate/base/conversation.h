// One side of a protocol without a socket: bytes in, bytes out. What a front end is, and what a
// connection drives.
//
//   conversation.feed(bytes);                      // as they arrive, in pieces of any size
//   send(conversation.output()); conversation.sent(n);
//
// Thread safety: none; a conversation lives on one event loop. Answers that come later come on that
// loop too, and are made known by `on_change`. Views handed to `feed` need to live only for the
// call; the view from `output` lives until the next call of any member.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <utility>

namespace tidegate {

class Conversation {
 public:
  virtual ~Conversation() = default;

  // Takes all of the bytes, or finishes the conversation. What is not yet a whole request is kept,
  // within bounds of the conversation's own.
  virtual void feed(std::string_view bytes) = 0;

  // What is to be sent now, and how much of it has been.
  virtual std::string_view output() const = 0;
  virtual void sent(std::size_t bytes) = 0;

  // False while the peer should wait: too many answers outstanding, or too much of them unsent.
  virtual bool want_read() const = 0;

  // No more requests come: the peer has half-closed, or the server is stopping. What was fed whole
  // is still answered; then the conversation is finished. A protocol that ends with a word of the
  // peer's wants to read until it is.
  virtual void drain() = 0;

  // True once nothing will be answered any more: close when the output is sent.
  virtual bool finished() const = 0;

  // To be called whenever an answer came outside of the members above.
  void on_change(std::function<void()> call) { changed_ = std::move(call); }

 protected:
  void change() {
    if (changed_) changed_();
  }

 private:
  std::function<void()> changed_;
};

}  // namespace tidegate
