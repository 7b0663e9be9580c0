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
  feeding_ = true;
  reader_.feed(bytes);
  read();
  feeding_ = false;
}

void RespConversation::read() {
  using Next = resp::RequestReader::Next;
  Next next = Next::kMore;
  while (!client_.leaving && (next = reader_.next()) == Next::kRequest)
    carry_out(client_, reader_.arguments());
  if (next == Next::kError) client_.refuse("ERR " + reader_.error());
  if (next == Next::kError || client_.leaving) ended_ = true;
}

void RespConversation::sent(std::size_t bytes) {
  client_.outbox->slots.sent(bytes);
}

bool RespConversation::want_read() const {
  const RespOptions& options = client_.loop.service().options();
  return !ended_ && client_.outbox->slots.outstanding() < options.max_outstanding &&
         output().size() < options.max_output;
}

}  // namespace tidegate::frontend
