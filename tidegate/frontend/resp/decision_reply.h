// Decisions as replies: an array in RESP2, a map of names in RESP3.
//
//   [allowed, limit, remaining, retry_after_ms, reset_after_ms, at_us]
//
// Milliseconds are rounded up; a wait of -1 is for ever. Thread safety: pure.
#pragma once

#include <cstdint>

#include "tidegate/algorithm/decision.h"
#include "tidegate/wire/resp_reply.h"

namespace tidegate::frontend {

void write_decision(resp::ReplyWriter& reply, const Decision& decision);

// The decision that bound one of several, whose index is a seventh field, `binding`.
void write_bound(resp::ReplyWriter& reply, const Decision& decision, bool allowed,
                 std::int64_t binding);

// The same of a request that meets no limit: allowed; `limit`, `remaining` and `binding` are -1.
void write_no_limit(resp::ReplyWriter& reply, Time now);

}  // namespace tidegate::frontend
