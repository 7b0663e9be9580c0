#include "tidegate/frontend/grpc/reflection.h"

#include <envoy/service/ratelimit/v3/rls.pb.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <grpc/health/v1/health.pb.h>
#include <grpc/reflection/v1/reflection.pb.h>
#include <grpc/reflection/v1alpha/reflection.pb.h>

#include <set>
#include <span>

#include "tidegate/base/quote.h"
#include "tidegate/wire/grpc.h"

namespace tidegate::frontend {
namespace {

using google::protobuf::FileDescriptor;
using ::grpc::reflection::v1::ServerReflectionRequest;
using ::grpc::reflection::v1::ServerReflectionResponse;

// The files whose services are served.
std::span<const FileDescriptor* const> served_files() {
  static const FileDescriptor* const kFiles[] = {
      envoy::service::ratelimit::v3::RateLimitRequest::descriptor()->file(),
      ::grpc::health::v1::HealthCheckRequest::descriptor()->file(),
      ServerReflectionRequest::descriptor()->file(),
      ::grpc::reflection::v1alpha::ServerReflectionRequest::descriptor()->file()};
  return kFiles;
}

void list_services(ServerReflectionResponse& response) {
  auto& list = *response.mutable_list_services_response();
  for (const FileDescriptor* const file : served_files())
    for (int i = 0; i < file->service_count(); ++i)
      list.add_service()->set_name(file->service(i)->full_name());
}

// What a file is made of comes before it.
void add_with_imports(const FileDescriptor& file, std::set<const FileDescriptor*>& seen,
                      ServerReflectionResponse& response) {
  if (!seen.insert(&file).second) return;
  for (int i = 0; i < file.dependency_count(); ++i)
    add_with_imports(*file.dependency(i), seen, response);
  google::protobuf::FileDescriptorProto proto;
  file.CopyTo(&proto);
  response.mutable_file_descriptor_response()->add_file_descriptor_proto(proto.SerializeAsString());
}

void say_not_found(std::string_view what, ServerReflectionResponse& response) {
  response.mutable_error_response()->set_error_code(static_cast<int>(grpc::Code::kNotFound));
  response.mutable_error_response()->set_error_message("not found: " + quoted(what));
}

void give(const FileDescriptor* file, std::string_view asked, ServerReflectionResponse& response) {
  if (file == nullptr) return say_not_found(asked, response);
  std::set<const FileDescriptor*> seen;
  add_with_imports(*file, seen, response);
}

// There are no extensions of anything.
void give_extensions(const std::string& type, ServerReflectionResponse& response) {
  const auto* const pool = google::protobuf::DescriptorPool::generated_pool();
  if (pool->FindMessageTypeByName(type) == nullptr) return say_not_found(type, response);
  response.mutable_all_extension_numbers_response()->set_base_type_name(type);
}

void answer(const ServerReflectionRequest& request, ServerReflectionResponse& response) {
  const auto* const pool = google::protobuf::DescriptorPool::generated_pool();
  switch (request.message_request_case()) {
    case ServerReflectionRequest::kListServices:
      return list_services(response);
    case ServerReflectionRequest::kFileByFilename:
      return give(pool->FindFileByName(request.file_by_filename()), request.file_by_filename(),
                  response);
    case ServerReflectionRequest::kFileContainingSymbol:
      return give(pool->FindFileContainingSymbol(request.file_containing_symbol()),
                  request.file_containing_symbol(), response);
    case ServerReflectionRequest::kFileContainingExtension:
      return say_not_found(request.file_containing_extension().containing_type(), response);
    case ServerReflectionRequest::kAllExtensionNumbersOfType:
      return give_extensions(request.all_extension_numbers_of_type(), response);
    case ServerReflectionRequest::MESSAGE_REQUEST_NOT_SET:
      return say_not_found("", response);
  }
}

}  // namespace

Expected<std::string> reflect(std::string_view bytes) {
  ServerReflectionRequest request;
  if (!request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return error("request", "expected a ServerReflectionRequest, found other bytes");
  served_files();  // known to the pool from here on
  ServerReflectionResponse response;
  response.set_valid_host(request.host());
  *response.mutable_original_request() = request;
  answer(request, response);
  return response.SerializeAsString();
}

}  // namespace tidegate::frontend
