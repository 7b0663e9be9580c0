#include "tidegate/frontend/grpc/limit_call.h"

#include <vector>

#include "tidegate/base/clock.h"
#include "tidegate/frontend/grpc/conversation.h"
#include "tidegate/store/store.h"

namespace tidegate::frontend {
namespace {

// Whose fault it is: a request that no store decides, or a store that is away.
grpc::Code code_of(const RuleCall& call) {
  std::vector<Take> takes;
  for (const rules::Met& met : call.descriptors())
    if (const Take* const take = call.take(met)) takes.push_back(*take);
  return problem_with(takes) ? grpc::Code::kInvalidArgument : grpc::Code::kUnavailable;
}

}  // namespace

LimitCall::LimitCall(GrpcLoop& loop)
    : RuleCall{Protocol::kGrpc, &LimitCall::complete}, home_{loop} {}

Expected<void> LimitCall::ask(std::string_view request, Time deadline,
                              GrpcConversation& conversation, http2::StreamId stream) {
  RuleLoop& rules = home_.rules_;
  if (auto read = request_.read_binary(request, rules.rules().default_algorithm()); !read) {
    free();
    return read;
  }
  conversation_ = &conversation;
  stream_ = stream;
  give_up = clamp(deadline);
  rules.ask(request_.descriptors(), *this);
  return {};
}

void LimitCall::complete(RuleCall& call) {
  auto& self = static_cast<LimitCall&>(call);
  if (self.conversation_ != nullptr) self.conversation_->decided(self);
  self.free();
}

void LimitCall::free() {
  conversation_ = nullptr;
  home_.free_calls_.push_back(this);
}

grpc::Status LimitCall::outcome(std::string& message) const {
  if (problem()) return {code_of(*this), problem()->message()};
  // What is answered without the store is not what its client would do without an answer.
  if (degraded() && home_.now() >= give_up)
    return {grpc::Code::kDeadlineExceeded, "the store was too late"};
  home_.answer_.write(*this, home_.service().options().answer, request_.descriptors());
  message.clear();
  home_.answer_.append_binary(message);
  return {};
}

}  // namespace tidegate::frontend
