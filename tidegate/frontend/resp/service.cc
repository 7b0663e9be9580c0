#include "tidegate/frontend/resp/service.h"

#include <utility>

#include "tidegate/frontend/resp/conversation.h"

namespace tidegate::frontend {

RespCounts& RespCounts::operator+=(const RespCounts& more) {
  connections += more.connections;
  connected += more.connected;
  commands += more.commands;
  errors += more.errors;
  allowed += more.allowed;
  denied += more.denied;
  latency += more.latency;
  return *this;
}

RespService::RespService(Store& store, const Clock& clock, RespOptions options)
    : store_{store},
      memory_{dynamic_cast<MemoryStore*>(&store)},
      clock_{clock},
      options_{std::move(options)},
      started_{clock.now()} {}

RespCounts RespService::counts() const {
  return loops_.sum();
}

RespLoop::RespLoop(RespService& service, RuleLoop& on) : rules{on}, service_{service} {
  service_.loops_.add(*this);
}

RespLoop::~RespLoop() {
  service_.loops_.remove(*this);
}

std::unique_ptr<Conversation> RespLoop::connect(std::string peer) {
  return std::make_unique<RespConversation>(*this, std::move(peer));
}

RespCounts RespLoop::counts() const {
  return {.connections = connected.value() - disconnected.value(),
          .connected = connected.value(),
          .commands = commands.value(),
          .errors = errors.value(),
          .allowed = allowed_.value(),
          .denied = denied_.value(),
          .latency = latency.value()};
}

void RespLoop::count(std::string_view key, const Limit& limit, const Decision& decision) {
  (decision.allowed ? allowed_ : denied_).add(1);
  if (const OnDecision& tell = service_.options().on_decision) tell(key, limit, decision);
}

}  // namespace tidegate::frontend
