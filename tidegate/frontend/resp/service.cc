#include "tidegate/frontend/resp/service.h"

#include <algorithm>
#include <utility>

#include "tidegate/frontend/resp/conversation.h"

namespace tidegate::frontend {
namespace {

void add_to(RespCounts& sum, const RespCounts& counts) {
  sum.connections += counts.connections;
  sum.connected += counts.connected;
  sum.commands += counts.commands;
  sum.errors += counts.errors;
  sum.allowed += counts.allowed;
  sum.denied += counts.denied;
  sum.latency += counts.latency;
}

}  // namespace

RespService::RespService(Store& store, const Clock& clock, RespOptions options)
    : store_{store},
      memory_{dynamic_cast<MemoryStore*>(&store)},
      clock_{clock},
      options_{std::move(options)},
      started_{clock.now()} {}

RespCounts RespService::counts() const {
  const SpinGuard guard{lock_};
  RespCounts sum = past_;
  for (const RespLoop* loop : loops_) add_to(sum, loop->counts());
  return sum;
}

void RespService::add(const RespLoop& loop) {
  const SpinGuard guard{lock_};
  loops_.push_back(&loop);
}

void RespService::remove(const RespLoop& loop) {
  const SpinGuard guard{lock_};
  std::erase(loops_, &loop);
  add_to(past_, loop.counts());
}

RespLoop::RespLoop(RespService& service, RuleLoop& on) : rules{on}, service_{service} {
  service.add(*this);
}

RespLoop::~RespLoop() {
  service_.remove(*this);
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
