#include "tidegate/frontend/http/conversation.h"

#include <utility>

#include "tidegate/frontend/http/routes.h"

namespace tidegate::frontend::http {

HttpConversation::HttpConversation(HttpLoop& loop, std::string peer)
    : loop_{loop}, peer_{std::move(peer)} {
  outbox_->conversation = this;
  loop_.connected.add(1);
}

HttpConversation::~HttpConversation() {
  outbox_->conversation = nullptr;
  loop_.disconnected.add(1);
}

void HttpConversation::feed(std::string_view bytes) {
  if (ended_) return;
  reader_.feed(bytes);
  read();
}

// Whatever its requests make of it, a client that takes no answers gets no more of them.
bool HttpConversation::may_answer() const {
  const HttpOptions& options = loop_.service().options();
  return outbox_->slots.outstanding() < options.max_outstanding &&
         output().size() < options.max_output;
}

void HttpConversation::read() {
  using Next = RequestReader::Next;
  reading_ = true;
  Next next = Next::kRequest;
  while (!ended_ && may_answer() && (next = reader_.next()) != Next::kMore) take(next);
  reading_ = false;
  paused_ = !ended_ && next != Next::kMore;
  if (outbox_->draining && !paused_) ended_ = true;
}

void HttpConversation::take(RequestReader::Next next) {
  switch (next) {
    case RequestReader::Next::kMore:
      return;
    case RequestReader::Next::kContinue:
      outbox_->slots.next() += "HTTP/1.1 100 Continue\r\n\r\n";
      return;
    case RequestReader::Next::kError:
      return refuse();
    case RequestReader::Next::kRequest:
      if (!reader_.request().keep_alive) ended_ = true;
      return carry_out(reader_.request(), peer_, Exchange{loop_, outbox_, reader_.request()});
  }
}

// What cannot be read leaves no way to tell where the next request would begin.
void HttpConversation::refuse() {
  ended_ = true;
  Exchange{loop_, outbox_, {.keep_alive = false}}.answer(
      {.status = reader_.status(), .body = reader_.problem() + "\n"});
}

void HttpConversation::sent(std::size_t bytes) {
  outbox_->slots.sent(bytes);
  if (paused_ && may_answer()) read();
}

void HttpConversation::answered() {
  if (reading_) return;
  if (paused_ && may_answer()) read();
  change();
}

void HttpConversation::drain() {
  outbox_->draining = true;
  if (!paused_) ended_ = true;
}

}  // namespace tidegate::frontend::http
