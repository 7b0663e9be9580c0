#include "tidegate/frontend/http/exchange.h"

#include <utility>

#include "tidegate/frontend/http/conversation.h"

namespace tidegate::frontend::http {

Exchange::Exchange(HttpLoop& loop, std::shared_ptr<Outbox> outbox, const Request& request)
    : loop_{loop},
      outbox_{std::move(outbox)},
      manner_{.head_alone = request.method == "HEAD",
              .close = !request.keep_alive,
              .of_1_0 = request.of_1_0},
      slot_{outbox_->slots.open()} {}

void Exchange::answer(const Reply& reply) {
  loop_.count_answer(reply.status);
  Manner manner = manner_;
  manner.close = manner.close || outbox_->draining;
  append_reply(outbox_->slots.text(slot_), reply, manner);
  outbox_->slots.resolve(slot_);
  if (outbox_->conversation != nullptr) outbox_->conversation->answered();
}

}  // namespace tidegate::frontend::http
