// A RateLimitResponse of Envoy's rate limit service, from what was decided.
//
//   answer.write(call);                            // or (call, options, request.descriptors())
//   reply(answer.over_limit() ? 429 : 200, answer.json());
//
// A status for each descriptor, in the order of the request. A period that is no unit of the
// protocol has the unit UNKNOWN. Times are whole seconds, rounded up, so that who waits them out is
// admitted. Thread safety: none. Cost: O(descriptors); kept from call to call it allocates little.
#pragma once

#include <memory>
#include <string>

#include "tidegate/base/expected.h"
#include "tidegate/frontend/rls/response_headers.h"
#include "tidegate/frontend/rls/waits.h"
#include "tidegate/frontend/rule_call.h"
#include "tidegate/rules/descriptor.h"

namespace envoy::service::ratelimit::v3 {
class RateLimitResponse;
}

namespace tidegate::frontend::rls {

// What an answer holds besides the statuses.
struct AnswerOptions {
  ResponseHeaders headers = ResponseHeaders::kNone;
  bool dynamic_metadata = false;
};

class Answer {
 public:
  Answer();
  ~Answer();
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  // Requires a call that is complete and has no problem. What was written before is forgotten.
  void write(const RuleCall& call);
  void write(const RuleCall& call, const AnswerOptions& options,
             const rules::DescriptorRequest& request);

  bool over_limit() const;
  void append_binary(std::string& out) const;
  Expected<std::string> json() const;

 private:
  const std::unique_ptr<envoy::service::ratelimit::v3::RateLimitResponse> message_;
};

}  // namespace tidegate::frontend::rls
