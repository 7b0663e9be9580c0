#include "tidegate/frontend/grpc/health.h"

#include <grpc/health/v1/health.pb.h>

namespace tidegate::frontend {

using ::grpc::health::v1::HealthCheckResponse;

Expected<std::string> read_health_request(std::string_view bytes) {
  ::grpc::health::v1::HealthCheckRequest request;
  if (!request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return error("request", "expected a HealthCheckRequest, found other bytes");
  return request.service();
}

bool has_health(std::string_view service) {
  return service.empty() || service == "ratelimit" ||
         service == "envoy.service.ratelimit.v3.RateLimitService";
}

std::string health_response(Health health) {
  HealthCheckResponse response;
  response.set_status(static_cast<HealthCheckResponse::ServingStatus>(health));
  return response.SerializeAsString();
}

}  // namespace tidegate::frontend
