#include "tidegate/frontend/resp/decision_reply.h"

#include <string_view>

#include "tidegate/frontend/resp/numbers.h"

namespace tidegate::frontend {
namespace {

constexpr Duration kMillisecond = std::chrono::milliseconds{1};
constexpr std::size_t kFields = 6;

// One field of a reply: named in RESP3, in its place in RESP2.
void field(resp::ReplyWriter& reply, std::string_view name, std::int64_t value) {
  if (reply.protocol() == resp::Protocol::kResp3) reply.text(name);
  reply.integer(value);
}

void head(resp::ReplyWriter& reply, std::size_t fields) {
  if (reply.protocol() == resp::Protocol::kResp3) {
    reply.map(fields);
  } else {
    reply.array(fields);
  }
}

// How much there is, -1 where there is no limit.
struct Tokens {
  std::int64_t limit = -1;
  std::int64_t remaining = -1;
};

void write_fields(resp::ReplyWriter& reply, const Decision& decision, const Tokens& tokens,
                  bool allowed) {
  field(reply, "allowed", allowed ? 1 : 0);
  field(reply, "limit", tokens.limit);
  field(reply, "remaining", tokens.remaining);
  field(reply, "retry_after_ms", rounded_up(decision.retry_after, kMillisecond));
  field(reply, "reset_after_ms", rounded_up(decision.reset_after, kMillisecond));
  field(reply, "at_us", decision.at.time_since_epoch().count());
}

Tokens tokens(const Decision& decision) {
  return {.limit = decision.capacity, .remaining = decision.remaining};
}

}  // namespace

void write_decision(resp::ReplyWriter& reply, const Decision& decision) {
  head(reply, kFields);
  write_fields(reply, decision, tokens(decision), decision.allowed);
}

void write_bound(resp::ReplyWriter& reply, const Decision& decision, bool allowed,
                 std::int64_t binding) {
  head(reply, kFields + 1);
  write_fields(reply, decision, tokens(decision), allowed);
  field(reply, "binding", binding);
}

void write_no_limit(resp::ReplyWriter& reply, Time now) {
  head(reply, kFields + 1);
  write_fields(reply, {.at = now}, {}, true);
  field(reply, "binding", -1);
}

}  // namespace tidegate::frontend
