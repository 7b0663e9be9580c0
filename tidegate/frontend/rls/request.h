// A RateLimitRequest of Envoy's rate limit service, as bytes of protobuf or as its JSON.
//
//   if (auto read = request.read_json(text, Algorithm::kSlidingWindow); !read) ...
//   loop.ask(request.descriptors(), call);
//
// Kept from call to call, so that reading allocates little once it has grown. Thread safety: none.
// Cost: O(bytes); JSON is some ten times as dear.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "tidegate/algorithm/limit.h"
#include "tidegate/base/expected.h"
#include "tidegate/rules/descriptor.h"

namespace envoy::service::ratelimit::v3 {
class RateLimitRequest;
}

namespace tidegate::frontend::rls {

// Of messages that cannot be read, protobuf writes to this process's standard error, as often as a
// client likes. What is wrong is answered to the client instead.
void silence_protobuf();

class Request {
 public:
  Request();
  ~Request();
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  // What was read before is forgotten. The algorithm is that of limits which the request brings.
  // An error says to the caller what is wrong with the request.
  Expected<void> read_binary(std::string_view bytes, Algorithm algorithm);
  Expected<void> read_json(std::string_view text, Algorithm algorithm);

  // What was read; it lives until the next reading.
  const rules::DescriptorRequest& descriptors() const { return request_; }

 private:
  Expected<void> understand(Algorithm algorithm);
  void understand_entries();
  Expected<void> understand_descriptors(Algorithm algorithm);

  const std::unique_ptr<envoy::service::ratelimit::v3::RateLimitRequest> message_;
  std::vector<rules::DescriptorEntry> entries_;  // of all descriptors
  std::vector<rules::Descriptor> descriptors_;
  rules::DescriptorRequest request_;
};

}  // namespace tidegate::frontend::rls
