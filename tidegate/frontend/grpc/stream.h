// One gRPC call on a connection, from its header to its status.
//
// A plain value. Thread safety: none.
#pragma once

#include <optional>
#include <string>

#include "tidegate/base/time.h"
#include "tidegate/frontend/grpc/head.h"
#include "tidegate/frontend/grpc/health.h"
#include "tidegate/wire/grpc.h"
#include "tidegate/wire/http2.h"

namespace tidegate::frontend {

class LimitCall;

struct GrpcStream {
  GrpcStream(http2::StreamId number, std::size_t max_message) : id{number}, reader{max_message} {}

  const http2::StreamId id;
  GrpcHead head;
  Time deadline = kEndOfTime;
  grpc::Reader reader;
  std::optional<std::string> message;  // of a call that takes one
  bool whole = false;                  // the request has ended
  bool started = false;                // the answer has begun
  bool done = false;                   // and has ended
  LimitCall* asked = nullptr;          // while it is being decided
  std::string watched = {};            // the service whose health it watches
  std::optional<Health> told = {};     // and what was last said of it
};

}  // namespace tidegate::frontend
