#include "tidegate/frontend/grpc/head.h"

#include <algorithm>
#include <array>

#include "tidegate/base/quote.h"

namespace tidegate::frontend {
namespace {

constexpr std::pair<std::string_view, GrpcMethod> kMethods[] = {
    {"/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit", GrpcMethod::kShouldRateLimit},
    {"/grpc.health.v1.Health/Check", GrpcMethod::kHealthCheck},
    {"/grpc.health.v1.Health/Watch", GrpcMethod::kHealthWatch},
    {"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", GrpcMethod::kReflection},
    {"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", GrpcMethod::kReflection},
};

std::optional<GrpcMethod> method_at(std::string_view path) {
  const auto* const found = std::find_if(std::begin(kMethods), std::end(kMethods),
                                         [&](const auto& one) { return one.first == path; });
  if (found == std::end(kMethods)) return std::nullopt;
  return found->second;
}

// Messages are protobuf's: `application/grpc`, `application/grpc+proto`, and either with
// parameters.
bool is_grpc(std::string_view type) {
  constexpr std::string_view kGrpc = "application/grpc";
  constexpr std::string_view kProto = "+proto";
  if (!type.starts_with(kGrpc)) return false;
  type.remove_prefix(kGrpc.size());
  if (type.starts_with(kProto)) type.remove_prefix(kProto.size());
  return type.empty() || type.front() == ';';
}

struct Fields {
  std::string_view method;
  std::string_view path;
  std::string_view content_type;
  std::string_view timeout;
  std::string_view encoding = "identity";
};

Fields fields_of(http2::Headers headers) {
  Fields fields;
  for (const auto& [name, value] : headers) {
    if (name == ":method") fields.method = value;
    if (name == ":path") fields.path = value;
    if (name == "content-type") fields.content_type = value;
    if (name == "grpc-timeout") fields.timeout = value;
    if (name == "grpc-encoding") fields.encoding = value;
  }
  return fields;
}

}  // namespace

std::variant<GrpcHead, grpc::Status, HttpRefusal> understand(http2::Headers headers) {
  const Fields fields = fields_of(headers);
  if (fields.method != "POST") return HttpRefusal::kMethodNotAllowed;
  if (!is_grpc(fields.content_type)) return HttpRefusal::kUnsupportedMediaType;
  const std::optional<GrpcMethod> method = method_at(fields.path);
  if (!method)
    return grpc::Status{grpc::Code::kUnimplemented, "no method " + quoted(fields.path) +
                                                        "; the one for limits is " +
                                                        std::string{kMethods[0].first}};
  GrpcHead head{.method = *method, .gzip = fields.encoding == "gzip"};
  if (!head.gzip && fields.encoding != "identity")
    return grpc::Status{grpc::Code::kUnimplemented,
                        "grpc-encoding " + quoted(fields.encoding) + ": expected gzip or identity"};
  if (fields.timeout.empty()) return head;
  const Expected<Duration> timeout = grpc::parse_timeout(fields.timeout);
  if (!timeout) return grpc::Status{grpc::Code::kInvalidArgument, timeout.error().message()};
  head.timeout = *timeout;
  return head;
}

}  // namespace tidegate::frontend
