// What the header of a request on a gRPC stream says: a call that can be carried out, or how it is
// refused.
//
// Pure. Cost: a pass over the fields, nothing allocated for a call that is not refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "tidegate/base/time.h"
#include "tidegate/wire/grpc.h"
#include "tidegate/wire/http2.h"

namespace tidegate::frontend {

enum class GrpcMethod : std::uint8_t { kShouldRateLimit, kHealthCheck, kHealthWatch, kReflection };

struct GrpcHead {
  GrpcMethod method = GrpcMethod::kShouldRateLimit;
  std::optional<Duration> timeout = {};  // from when the header came
  bool gzip = false;                     // how its messages are compressed, if they are
};

// What does not speak gRPC is answered in HTTP.
enum class HttpRefusal : std::uint16_t { kMethodNotAllowed = 405, kUnsupportedMediaType = 415 };

std::variant<GrpcHead, grpc::Status, HttpRefusal> understand(http2::Headers headers);

// The encodings of messages that are understood: the value of `grpc-accept-encoding`.
inline constexpr std::string_view kGrpcEncodings = "identity,gzip";

}  // namespace tidegate::frontend
