// CL.THROTTLE key max_burst count period [quantity], as redis-cell has it: a token_bucket of
// max_burst + 1 tokens, refilled by count a period of seconds.
//
// The reply is [limited, limit, remaining, retry_after, reset_after], seconds rounded up;
// retry_after is -1 when the take is allowed and when it can never be.
#pragma once

#include "tidegate/frontend/resp/client.h"

namespace tidegate::frontend {

void throttle(Client& client, Words words);

}  // namespace tidegate::frontend
