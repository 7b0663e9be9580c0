// grpc.reflection, v1 and v1alpha, whose messages are alike: what this server offers, for tools
// such as grpcurl.
//
// Thread safety: pure. Cost: for people, not for requests of every day.
#pragma once

#include <string>
#include <string_view>

#include "tidegate/base/expected.h"

namespace tidegate::frontend {

// The ServerReflectionResponse to a ServerReflectionRequest.
Expected<std::string> reflect(std::string_view request);

}  // namespace tidegate::frontend
