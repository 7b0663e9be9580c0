// Who is told of each decision of a take, whatever the protocol.
#pragma once

#include <functional>
#include <string_view>

#include "tidegate/algorithm/decision.h"
#include "tidegate/algorithm/limit.h"

namespace tidegate::frontend {

// Is called on the event loop of the request.
using OnDecision = std::function<void(std::string_view key, const Limit&, const Decision&)>;

}  // namespace tidegate::frontend
