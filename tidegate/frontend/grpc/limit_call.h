// ShouldRateLimit under way: what was asked, and where the answer goes. An answer that comes after
// its stream has gone goes nowhere.
//
// Thread safety: none; on its event loop. Cost: kept by the loop and used again, so that it
// allocates little once it has grown.
#pragma once

#include "tidegate/frontend/grpc/service.h"
#include "tidegate/frontend/rls/request.h"
#include "tidegate/frontend/rule_call.h"
#include "tidegate/wire/http2.h"

namespace tidegate::frontend {

class LimitCall final : public RuleCall {
 public:
  explicit LimitCall(GrpcLoop& loop);

  // Reads and decides a request; it is answered by `GrpcConversation::decided`, perhaps before this
  // returns. Or says why it is not decided, and is free again.
  Expected<void> ask(std::string_view request, Time deadline, GrpcConversation& conversation,
                     http2::StreamId stream);

  // The stream has gone.
  void forget() { conversation_ = nullptr; }

  http2::StreamId stream() const { return stream_; }

  // Requires that it is complete: what it comes to, and when that is an answer, its message.
  grpc::Status outcome(std::string& message) const;

 private:
  static void complete(RuleCall& call);
  void free();

  GrpcLoop& home_;
  rls::Request request_;
  GrpcConversation* conversation_ = nullptr;
  http2::StreamId stream_ = 0;
};

}  // namespace tidegate::frontend
