// One request and the answer to it, which may come later than the request, even after its
// connection has gone.
//
// Thread safety: none; on the connection's event loop. Cost: a slot in the order of answers.
#pragma once

#include <memory>
#include <string>

#include "tidegate/frontend/http/reply.h"
#include "tidegate/frontend/http/request.h"
#include "tidegate/frontend/http/service.h"
#include "tidegate/frontend/slots.h"

namespace tidegate::frontend::http {

class HttpConversation;

// Where answers go. An answer that comes after its connection has gone finds no conversation.
struct Outbox {
  Slots slots;
  HttpConversation* conversation = nullptr;
  bool draining = false;  // no further request is read
};

class Exchange {
 public:
  // Its answer comes behind those to all requests before this one.
  Exchange(HttpLoop& loop, std::shared_ptr<Outbox> outbox, const Request& request);

  HttpLoop& loop() const { return loop_; }

  // Gives the answer; once.
  void answer(const Reply& reply);

 private:
  HttpLoop& loop_;
  std::shared_ptr<Outbox> outbox_;
  Manner manner_;
  Slots::Number slot_;
};

}  // namespace tidegate::frontend::http
