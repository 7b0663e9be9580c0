// A RESP connection as a Conversation: bytes in, commands carried out, replies out in order.
//
// Thread safety: none; it lives on one event loop. Cost: over a MemoryStore a take allocates
// nothing and its reply is in the output when `feed` returns.
#pragma once

#include <string>

#include "tidegate/base/conversation.h"
#include "tidegate/frontend/resp/client.h"
#include "tidegate/wire/resp_request.h"

namespace tidegate::frontend {

class RespConversation final : public Conversation {
 public:
  RespConversation(RespLoop& loop, std::string peer);
  ~RespConversation() override;

  void feed(std::string_view bytes) override;
  std::string_view output() const override { return client_.outbox->slots.output(); }
  void sent(std::size_t bytes) override;
  bool want_read() const override { return !ended_ && may_answer(); }
  void drain() override;
  bool finished() const override { return ended_ && client_.outbox->slots.outstanding() == 0; }

  // An answer has come. It is told to the connection unless that is about to look by itself.
  void answered();

 private:
  bool may_answer() const;
  void read();

  Client client_;
  resp::RequestReader reader_;
  bool feeding_ = false;
  bool paused_ = false;    // requests wait until answers have left
  bool draining_ = false;  // nothing more is fed
  bool ended_ = false;     // nothing more is read
};

}  // namespace tidegate::frontend
