#include "tidegate/frontend/grpc/replies.h"

#include <array>

namespace tidegate::frontend {
namespace {

using http2::HeaderField;

constexpr HeaderField kStatus{":status", "200"};
constexpr HeaderField kType{"content-type", "application/grpc"};

}  // namespace

void GrpcReplies::send(GrpcStream& to, std::string_view message) {
  if (!std::exchange(to.started, true)) session_.start(to.id, std::array{kStatus, kType});
  framed_.clear();
  grpc::append_message(framed_, message);
  session_.send(to.id, framed_);
}

void GrpcReplies::end(GrpcStream& to, const grpc::Status& status) {
  if (std::exchange(to.done, true)) return;
  loop_.count_answer(status.code);
  if (!to.whole) session_.want_no_more(to.id);
  const std::string text = grpc::percent_encoded(status.message);
  const HeaderField code{"grpc-status", grpc::to_text(status.code)};
  const HeaderField message{"grpc-message", text};
  if (to.started) {
    const std::array trailers{code, message};
    session_.finish(to.id, http2::Headers{trailers}.first(text.empty() ? 1 : 2));
  } else {
    session_.respond(to.id, std::array{kStatus, kType, code, message,
                                       HeaderField{"grpc-accept-encoding", kGrpcEncodings}});
  }
}

void GrpcReplies::refuse(GrpcStream& to, HttpRefusal refusal) {
  if (std::exchange(to.done, true)) return;
  loop_.count_answer(grpc::Code::kUnknown);
  if (!to.whole) session_.want_no_more(to.id);
  if (refusal == HttpRefusal::kMethodNotAllowed) {
    session_.respond(to.id,
                     std::array{HeaderField{":status", "405"}, HeaderField{"allow", "POST"}});
  } else {
    session_.respond(to.id, std::array{HeaderField{":status", "415"},
                                       HeaderField{"accept", "application/grpc"}});
  }
}

}  // namespace tidegate::frontend
