// POST /json: a RateLimitRequest as JSON, decided by the rules, as envoyproxy/ratelimit answers it.
//
// Thread safety: none; on the connection's event loop.
#pragma once

#include <string_view>

#include "tidegate/frontend/http/exchange.h"

namespace tidegate::frontend::http {

void ask_in_json(std::string_view body, Exchange exchange);

}  // namespace tidegate::frontend::http
