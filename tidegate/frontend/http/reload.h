// POST /-/reload: loads the rules anew, for whoever may ask for it.
//
// That is this machine, and who knows the token. A page in a browser may send its visitor's
// requests here, so those that tell of an origin need the token too. Thread safety: none; on the
// connection's event loop.
#pragma once

#include <string_view>

#include "tidegate/frontend/http/exchange.h"
#include "tidegate/frontend/http/request.h"

namespace tidegate::frontend::http {

void reload_rules(const Request& request, std::string_view peer, Exchange exchange);

}  // namespace tidegate::frontend::http
