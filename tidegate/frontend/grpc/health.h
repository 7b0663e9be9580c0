// grpc.health.v1: whether a service can be used.
//
// Pure.
#pragma once

#include <string>
#include <string_view>

#include "tidegate/base/expected.h"

namespace tidegate::frontend {

enum class Health : int { kServing = 1, kNotServing = 2, kServiceUnknown = 3 };

// The service that a HealthCheckRequest names.
Expected<std::string> read_health_request(std::string_view bytes);

// Whether this server has a service of that name; the empty one is the server itself.
bool has_health(std::string_view service);

// A HealthCheckResponse.
std::string health_response(Health health);

}  // namespace tidegate::frontend
