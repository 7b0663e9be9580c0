// From the judgements of a request's takes to its verdict: who denies, who is charged, who bound.
//
// Pure; the one place that knows what roles and `Charge` mean. A store judges every take at one
// instant, settles, and then writes what this says.
#pragma once

#include <span>

#include "tidegate/store/store.h"

namespace tidegate {

// Whether the request is admitted, given each take's own decision.
bool admitted(std::span<const Take> takes, std::span<const Decision> decisions);

// Whether this take is charged, given the request's answer.
inline bool charged(const Decision& decision, bool request_admitted, Charge charge) {
  return decision.allowed && (request_admitted || charge == Charge::kEach);
}

// Which take bound. Shadow takes do not, unless there is nothing else.
std::size_t binding_take(std::span<const Take> takes, std::span<const Decision> decisions,
                         bool request_admitted);

}  // namespace tidegate
