#include "tidegate/frontend/grpc/conversation.h"

#include <utility>

#include "tidegate/frontend/grpc/gunzip.h"
#include "tidegate/frontend/grpc/limit_call.h"
#include "tidegate/frontend/grpc/reflection.h"

namespace tidegate::frontend {

using grpc::Code;
using grpc::Status;

GrpcConversation::GrpcConversation(GrpcLoop& loop)
    : loop_{loop},
      old_at_{loop.end_of_a_new_connection()},
      session_{loop.service().options().http2, *this} {
  loop_.conversations_.insert(this);
  loop_.connected_.add(1);
}

GrpcConversation::~GrpcConversation() {
  loop_.conversations_.erase(this);
  loop_.disconnected_.add(1);
}

void GrpcConversation::feed(std::string_view bytes) {
  if (over_) return;
  feeding_ = true;
  session_.feed(bytes);
  feeding_ = false;
}

void GrpcConversation::on_headers(http2::StreamId id, http2::Headers headers) {
  GrpcStream& stream =
      streams_.try_emplace(id, id, loop_.service().options().max_message).first->second;
  const auto understood = understand(headers);
  if (const auto* const refusal = std::get_if<HttpRefusal>(&understood))
    return replies_.refuse(stream, *refusal);
  if (const auto* const status = std::get_if<Status>(&understood))
    return replies_.end(stream, *status);
  stream.head = std::get<GrpcHead>(understood);
  if (stream.head.timeout) stream.deadline = loop_.now() + *stream.head.timeout;
}

void GrpcConversation::on_data(http2::StreamId id, std::string_view bytes) {
  GrpcStream& stream = streams_.at(id);
  if (stream.done) return;
  stream.reader.feed(bytes);
  while (!stream.done) {
    const auto message = stream.reader.next();
    if (!message) return replies_.end(stream, message.error());
    if (!*message) return;
    take(stream, **message);
  }
}

void GrpcConversation::take(GrpcStream& stream, const grpc::Message& message) {
  if (!message.compressed) return take_whole(stream, message.payload);
  if (!stream.head.gzip)
    return replies_.end(stream, {Code::kInternal, "a compressed message without grpc-encoding"});
  std::string& unzipped = loop_.unzipped_;
  if (auto bad = gunzip(message.payload, loop_.service().options().max_message, unzipped))
    return replies_.end(stream, *bad);
  take_whole(stream, unzipped);
}

void GrpcConversation::take_whole(GrpcStream& stream, std::string_view message) {
  if (stream.head.method == GrpcMethod::kReflection) return reflect_on(stream, message);
  if (stream.message)
    return replies_.end(stream, {Code::kInternal, "a second message; this call takes one"});
  stream.message.emplace(message);
}

void GrpcConversation::on_end(http2::StreamId id) {
  GrpcStream& stream = streams_.at(id);
  stream.whole = true;
  if (stream.done) return;
  if (stream.reader.partial())
    return replies_.end(stream, {Code::kInternal, "a message that is cut off"});
  if (stream.head.method == GrpcMethod::kReflection) return replies_.end(stream, {});
  if (!stream.message)
    return replies_.end(stream, {Code::kInternal, "no message; this call takes one"});
  carry_out(stream);
}

void GrpcConversation::on_close(http2::StreamId id) {
  const auto found = streams_.find(id);
  if (found->second.asked != nullptr) found->second.asked->forget();
  streams_.erase(found);
}

void GrpcConversation::carry_out(GrpcStream& stream) {
  if (stream.head.timeout && loop_.now() >= stream.deadline)
    return replies_.end(stream, {Code::kDeadlineExceeded, "too late; nothing was charged"});
  switch (stream.head.method) {
    case GrpcMethod::kShouldRateLimit:
      return should_rate_limit(stream);
    case GrpcMethod::kHealthCheck:
      return check_health(stream);
    case GrpcMethod::kHealthWatch:
      return watch_health(stream);
    case GrpcMethod::kReflection:
      return;  // was answered message by message
  }
}

void GrpcConversation::should_rate_limit(GrpcStream& stream) {
  LimitCall& call = loop_.call();
  stream.asked = &call;
  if (const auto asked = call.ask(*stream.message, stream.deadline, *this, stream.id); !asked) {
    stream.asked = nullptr;
    replies_.end(stream, {Code::kInvalidArgument, asked.error().message()});
  }
}

void GrpcConversation::decided(const LimitCall& call) {
  GrpcStream& stream = streams_.at(call.stream());
  stream.asked = nullptr;
  const Status status = call.outcome(loop_.bytes_);
  if (status.ok()) replies_.send(stream, loop_.bytes_);
  replies_.end(stream, status);
  flush();
}

Health GrpcConversation::health_of(std::string_view service) const {
  if (!has_health(service)) return Health::kServiceUnknown;
  return loop_.service().ready() ? Health::kServing : Health::kNotServing;
}

void GrpcConversation::check_health(GrpcStream& stream) {
  const auto service = read_health_request(*stream.message);
  if (!service) return replies_.end(stream, {Code::kInvalidArgument, service.error().message()});
  const Health health = health_of(*service);
  if (health == Health::kServiceUnknown)
    return replies_.end(stream, {Code::kNotFound, "no such service; there is \"ratelimit\""});
  replies_.send(stream, health_response(health));
  replies_.end(stream, {});
}

void GrpcConversation::watch_health(GrpcStream& stream) {
  auto service = read_health_request(*stream.message);
  if (!service) return replies_.end(stream, {Code::kInvalidArgument, service.error().message()});
  stream.watched = *std::move(service);
  tell_health(stream);
  if (draining_) end_streams_without_an_end();
}

// True when it has changed since it was told.
bool GrpcConversation::tell_health(GrpcStream& stream) {
  const Health health = health_of(stream.watched);
  if (std::exchange(stream.told, health) == health) return false;
  replies_.send(stream, health_response(health));
  return true;
}

void GrpcConversation::reflect_on(GrpcStream& stream, std::string_view message) {
  const auto response = reflect(message);
  if (!response) return replies_.end(stream, {Code::kInvalidArgument, response.error().message()});
  replies_.send(stream, *response);
}

// Those that only their client would end.
void GrpcConversation::end_streams_without_an_end() {
  for (auto& [id, stream] : streams_) {
    if (stream.done) continue;
    if (stream.told) tell_health(stream);
    if (stream.told || stream.head.method == GrpcMethod::kReflection)
      replies_.end(stream, {Code::kUnavailable, "this connection ends; ask on another"});
  }
}

void GrpcConversation::drain() {
  if (std::exchange(draining_, true)) return;
  end_streams_without_an_end();
  session_.drain();
}

void GrpcConversation::tick(Time now) {
  const bool old = !draining_ && now >= old_at_;
  if (old) come_of_age(now);
  over_ = over_ || now >= over_at_;
  bool said = old || over_;
  for (auto& [id, stream] : streams_)
    if (stream.told && !stream.done && tell_health(stream)) said = true;
  if (said) flush();
}

void GrpcConversation::come_of_age(Time now) {
  const Duration grace = loop_.service().options().max_connection_age_grace;
  if (grace > Duration{0}) over_at_ = now + grace;
  drain();
}

// Makes known what was answered outside of `feed`.
void GrpcConversation::flush() {
  if (feeding_) return;
  session_.flush();
  change();
}

}  // namespace tidegate::frontend
