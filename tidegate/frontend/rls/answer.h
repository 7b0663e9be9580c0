// A RateLimitResponse of Envoy's rate limit service, from what was decided.
//
//   answer.write(call);
//   reply(answer.over_limit() ? 429 : 200, answer.json());
//
// A status for each descriptor, in the order of the request. A period that is no unit of the
// protocol has the unit UNKNOWN. Times are whole seconds, rounded up, so that who waits them out is
// admitted. Thread safety: none. Cost: O(descriptors); kept from call to call it allocates little.
#pragma once

#include <memory>
#include <string>

#include "tidegate/base/expected.h"
#include "tidegate/frontend/rule_call.h"

namespace envoy::service::ratelimit::v3 {
class RateLimitResponse;
}

namespace tidegate::frontend::rls {

class Answer {
 public:
  Answer();
  ~Answer();
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  // Requires a call that is complete and has no problem. What was written before is forgotten.
  void write(const RuleCall& call);

  bool over_limit() const;
  void append_binary(std::string& out) const;
  Expected<std::string> json() const;

 private:
  const std::unique_ptr<envoy::service::ratelimit::v3::RateLimitResponse> message_;
};

// Whole seconds until a denied request may come again: rounded up, at least 1. When it can never be
// allowed, until the limit is what it was before anything was taken.
std::int64_t seconds_to_wait(const Decision& denial);

}  // namespace tidegate::frontend::rls
