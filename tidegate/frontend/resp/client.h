// One connection's state, which its commands read and change.
//
// Thread safety: none; it lives on its connection's event loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/frontend/resp/service.h"
#include "tidegate/frontend/slots.h"
#include "tidegate/wire/resp_reply.h"

namespace tidegate::frontend {

class RespConversation;

// Name and arguments of a command, as they came.
using Words = std::span<const std::string_view>;

// Where answers go. An answer that comes after its connection has gone finds no conversation.
struct Outbox {
  Slots slots;
  RespConversation* conversation = nullptr;
};

// What was queued since MULTI.
struct Transaction {
  bool open = false;
  bool spoiled = false;  // a command was refused: EXEC will be
  std::size_t bytes = 0;
  std::vector<std::vector<std::string>> commands;
};

struct Client {
  explicit Client(RespLoop& on, std::string from)
      : loop{on},
        id{on.service().next_client()},
        peer{std::move(from)},
        authenticated{on.service().options().password.empty()} {}

  // Where a reply that is made at once goes, behind those of the takes that wait in the batch.
  resp::ReplyWriter reply() {
    settle();
    return {outbox->slots.next(), protocol};
  }
  // Decides the takes that wait, and answers them.
  void settle() {
    if (!loop.batch.empty()) settle_batch();
  }
  // Refuses a command, for this reason.
  void refuse(std::string_view line) {
    loop.errors.add(1);
    reply().error(line);
  }
  void refuse(const Error& error) { refuse("ERR " + error.message()); }

  RespLoop& loop;
  const std::uint64_t id;
  const std::string peer;
  std::shared_ptr<Outbox> outbox = std::make_shared<Outbox>();
  resp::Protocol protocol = resp::Protocol::kResp2;
  bool authenticated;
  bool leaving = false;  // nothing is read after this command
  std::string name = {};
  std::string library = {};          // CLIENT SETINFO LIB-NAME
  std::string library_version = {};  // CLIENT SETINFO LIB-VER
  Transaction transaction = {};

 private:
  void settle_batch();
};

}  // namespace tidegate::frontend
