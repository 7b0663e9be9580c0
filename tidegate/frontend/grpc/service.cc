#include "tidegate/frontend/grpc/service.h"

#include <utility>

#include "tidegate/frontend/grpc/conversation.h"
#include "tidegate/frontend/grpc/limit_call.h"
#include "tidegate/frontend/rls/request.h"

namespace tidegate::frontend {

GrpcCounts& GrpcCounts::operator+=(const GrpcCounts& more) {
  connections += more.connections;
  connected += more.connected;
  for (std::size_t i = 0; i < answers.size(); ++i) answers[i] += more.answers[i];
  return *this;
}

GrpcService::GrpcService(std::function<bool()> ready, GrpcOptions options)
    : ready_{std::move(ready)}, options_{options} {
  rls::silence_protobuf();
}

GrpcCounts GrpcService::counts() const {
  return loops_.sum();
}

GrpcLoop::GrpcLoop(GrpcService& service, RuleLoop& rules)
    : service_{service}, rules_{rules}, random_{std::random_device{}()} {
  service_.loops_.add(*this);
}

GrpcLoop::~GrpcLoop() {
  service_.loops_.remove(*this);
}

std::unique_ptr<Conversation> GrpcLoop::connect() {
  return std::make_unique<GrpcConversation>(*this);
}

// A copy, since a conversation that is told to end may go at once.
void GrpcLoop::tick() {
  const Time time = now();
  const std::vector<GrpcConversation*> all(conversations_.begin(), conversations_.end());
  for (GrpcConversation* const one : all)
    if (conversations_.contains(one)) one->tick(time);
}

GrpcCounts GrpcLoop::counts() const {
  GrpcCounts counts{.connections = connected_.value() - disconnected_.value(),
                    .connected = connected_.value()};
  for (std::size_t i = 0; i < answers_.size(); ++i) counts.answers[i] = answers_[i].value();
  return counts;
}

Time GrpcLoop::end_of_a_new_connection() {
  const Duration age = service_.options().max_connection_age;
  if (age <= Duration{0}) return kEndOfTime;
  const std::int64_t tenth = age.count() / 10;
  std::uniform_int_distribution<std::int64_t> jitter{-tenth, tenth};
  return now() + age + Duration{jitter(random_)};
}

LimitCall& GrpcLoop::call() {
  if (free_calls_.empty())
    free_calls_.push_back(calls_.emplace_back(std::make_unique<LimitCall>(*this)).get());
  LimitCall& call = *free_calls_.back();
  free_calls_.pop_back();
  return call;
}

}  // namespace tidegate::frontend
