// gRPC's own server, which answers every ShouldRateLimit with the same bytes: what rls_bench
// compares with. The callback API over raw bytes, which is the least that it can be made to do.
//
//   grpc_constant_server PORT FILE_WITH_THE_MESSAGE
#include <envoy/service/ratelimit/v3/rls.grpc.pb.h>
#include <grpcpp/grpcpp.h>

#include <fstream>
#include <sstream>
#include <string>

namespace {

using envoy::service::ratelimit::v3::RateLimitService;

class Constant final
    : public RateLimitService::WithRawCallbackMethod_ShouldRateLimit<RateLimitService::Service> {
 public:
  explicit Constant(const std::string& message) {
    const grpc::Slice slice{message};
    answer_ = grpc::ByteBuffer{&slice, 1};
  }

  grpc::ServerUnaryReactor* ShouldRateLimit(grpc::CallbackServerContext* context,
                                            const grpc::ByteBuffer*,
                                            grpc::ByteBuffer* answer) override {
    *answer = answer_;
    grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

 private:
  grpc::ByteBuffer answer_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ostringstream message;
  message << std::ifstream{argv[2], std::ios::binary}.rdbuf();
  Constant service{message.str()};
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:" + std::string{argv[1]}, grpc::InsecureServerCredentials());
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) return 1;
  server->Wait();
}
