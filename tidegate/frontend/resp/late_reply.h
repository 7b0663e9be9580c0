// A reply that may be made later than its command, even after its connection has gone.
//
// Thread safety: none; on the connection's event loop. Cost: a slot in the order of replies.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "tidegate/base/expected.h"
#include "tidegate/frontend/resp/client.h"
#include "tidegate/frontend/resp/conversation.h"

namespace tidegate::frontend {

class LateReply {
 public:
  // Its place is behind the replies to all commands before this one.
  explicit LateReply(Client& client)
      : loop_{client.loop}, outbox_{client.outbox}, protocol_{client.protocol} {
    client.settle();
    slot_ = outbox_->slots.open();
  }

  RespLoop& loop() const { return loop_; }

  // Makes it: the problem if there is one, else what `write(reply)` writes.
  template <class Write>
  void make(const std::optional<Error>& problem, Write&& write) {
    resp::ReplyWriter reply{outbox_->slots.text(slot_), protocol_};
    if (problem) {
      loop_.errors.add(1);
      reply.error("ERR " + problem->message());
    } else {
      std::forward<Write>(write)(reply);
    }
    outbox_->slots.resolve(slot_);
    if (outbox_->conversation != nullptr) outbox_->conversation->answered();
  }

 private:
  RespLoop& loop_;
  const std::shared_ptr<Outbox> outbox_;
  const resp::Protocol protocol_;
  Slots::Number slot_ = 0;
};

}  // namespace tidegate::frontend
