#include "tidegate/server/denial_log.h"

#include <cassert>
#include <string>

namespace tidegate::server {
namespace {

std::string microseconds(Duration wait) {
  return wait == kNever ? "never" : std::to_string(wait.count());
}

}  // namespace

DenialLog::DenialLog(const Limit& limit, Log& log, const Clock& clock)
    : log_{log}, bucket_{limit, clock} {
  assert(limit.capacity() > 0);
}

DenialLog::~DenialLog() {
  if (const std::uint64_t left_out = left_out_.load(); left_out > 0)
    log_.info("denied", {{"left_out", left_out}});
}

void DenialLog::denied(std::string_view key, const Limit& limit, const Decision& decision) {
  if (!may_speak(decision.at)) {
    left_out_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  log_.info("denied", {{"key", key},
                       {"limit", limit.to_string()},
                       {"retry_after_us", microseconds(decision.retry_after)},
                       {"left_out", left_out_.exchange(0, std::memory_order_relaxed)}});
}

bool DenialLog::may_speak(Time now) {
  if (now < silent_until_.load(std::memory_order_relaxed)) return false;
  const Decision turn = bucket_.take();
  if (!turn.allowed) silent_until_.store(turn.at + turn.retry_after, std::memory_order_relaxed);
  return turn.allowed;
}

}  // namespace tidegate::server
