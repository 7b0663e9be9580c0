// What a client is told of its limit in headers of the response that it gets: in one of the forms
// that clients read.
//
//   for_each_response_header(form, call, [](std::string_view name, std::string_view value) { ...
//   });
//
// Of the decision that bound, and nothing when no limit was met. Pure. Cost: a few short texts.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "tidegate/frontend/rule_call.h"

namespace tidegate::frontend::rls {

enum class ResponseHeaders : std::uint8_t {
  kNone,
  kRateLimit,   // RateLimit-Limit, -Remaining, -Reset
  kXRateLimit,  // X-RateLimit-Limit, -Remaining, -Reset
  kIetf,        // RateLimit-Policy and RateLimit, of draft-ietf-httpapi-ratelimit-headers-10
};

using AddHeader = std::function<void(std::string_view name, std::string_view value)>;

// With a denial also Retry-After.
void for_each_response_header(ResponseHeaders form, const RuleCall& call, const AddHeader& add);

}  // namespace tidegate::frontend::rls
