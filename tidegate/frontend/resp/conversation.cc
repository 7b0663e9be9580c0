#include "tidegate/frontend/resp/conversation.h"

#include <utility>

#include "tidegate/frontend/resp/command.h"

namespace tidegate::frontend {

RespConversation::RespConversation(RespLoop& loop, std::string peer)
    : client_{loop, std::move(peer)}, reader_{loop.service().options().bounds} {
  client_.outbox->conversation = this;
  loop.connected.add(1);
}

RespConversation::~RespConversation() {
  client_.outbox->conversation = nullptr;
  client_.loop.disconnected.add(1);
}

void RespConversation::feed(std::string_view bytes) {
  if (ended_) return;
  reader_.feed(bytes);
  read();
}

// Whatever one request makes of it, a client that takes no answers gets no more of them.
bool RespConversation::may_answer() const {
  const RespOptions& options = client_.loop.service().options();
  return client_.outbox->slots.outstanding() < options.max_outstanding &&
         output().size() < options.max_output;
}

void RespConversation::read() {
  using Next = resp::RequestReader::Next;
  feeding_ = true;
  Next next = Next::kRequest;
  while (!client_.leaving && may_answer() && (next = reader_.next()) == Next::kRequest)
    carry_out(client_, reader_.arguments());
  client_.settle();
  feeding_ = false;
  if (next == Next::kError) client_.refuse("ERR " + reader_.error());
  paused_ = next == Next::kRequest && !client_.leaving;
  if (paused_) reader_.pause();
  ended_ = next == Next::kError || client_.leaving || (draining_ && !paused_);
}

void RespConversation::sent(std::size_t bytes) {
  client_.outbox->slots.sent(bytes);
  if (paused_ && may_answer()) read();
}

void RespConversation::answered() {
  if (feeding_) return;
  if (paused_ && may_answer()) read();
  change();
}

void RespConversation::drain() {
  draining_ = true;
  if (!paused_) ended_ = true;
}

}  // namespace tidegate::frontend
