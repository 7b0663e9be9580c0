// The answers to calls, in the words of HTTP/2: a header, messages, and a status in trailers; or a
// status alone.
//
// Thread safety: none; on the connection's event loop.
#pragma once

#include <string>
#include <string_view>

#include "tidegate/frontend/grpc/head.h"
#include "tidegate/frontend/grpc/service.h"
#include "tidegate/frontend/grpc/stream.h"
#include "tidegate/wire/grpc.h"
#include "tidegate/wire/http2.h"

namespace tidegate::frontend {

class GrpcReplies {
 public:
  GrpcReplies(http2::Session& session, GrpcLoop& loop) : session_{session}, loop_{loop} {}

  void send(GrpcStream& to, std::string_view message);
  // The last word. A request that is still on its way is asked to stop.
  void end(GrpcStream& to, const grpc::Status& status);
  void refuse(GrpcStream& to, HttpRefusal refusal);

 private:
  http2::Session& session_;
  GrpcLoop& loop_;
  std::string framed_;
};

}  // namespace tidegate::frontend
