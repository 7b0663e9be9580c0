// An HTTP/1.1 connection as a Conversation: bytes in, requests carried out, answers out in order.
//
// Thread safety: none; it lives on one event loop.
#pragma once

#include <memory>
#include <string>

#include "tidegate/base/conversation.h"
#include "tidegate/frontend/http/exchange.h"
#include "tidegate/frontend/http/request.h"
#include "tidegate/frontend/http/service.h"

namespace tidegate::frontend::http {

class HttpConversation final : public Conversation {
 public:
  HttpConversation(HttpLoop& loop, std::string peer);
  ~HttpConversation() override;

  void feed(std::string_view bytes) override;
  std::string_view output() const override { return outbox_->slots.output(); }
  void sent(std::size_t bytes) override;
  bool want_read() const override { return !ended_ && may_answer(); }
  void drain() override;
  bool finished() const override { return ended_ && outbox_->slots.outstanding() == 0; }

  // An answer has come. It is told to the connection unless that is about to look by itself.
  void answered();

 private:
  bool may_answer() const;
  void read();
  void take(RequestReader::Next next);
  void refuse();

  HttpLoop& loop_;
  const std::string peer_;
  const std::shared_ptr<Outbox> outbox_ = std::make_shared<Outbox>();
  RequestReader reader_;
  bool reading_ = false;
  bool paused_ = false;  // requests wait until answers have left
  bool ended_ = false;   // nothing more is read
};

}  // namespace tidegate::frontend::http
