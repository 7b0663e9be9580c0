// The paths of the HTTP front end: which there are, which methods they take, what answers them.
//
// Thread safety: the table is constant.
#pragma once

#include <string_view>

#include "tidegate/frontend/http/exchange.h"
#include "tidegate/frontend/http/request.h"

namespace tidegate::frontend::http {

// Answers a request from that peer, now or later.
void carry_out(const Request& request, std::string_view peer, Exchange exchange);

}  // namespace tidegate::frontend::http
