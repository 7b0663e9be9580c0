// A gRPC connection as a Conversation: bytes in, calls carried out, answers out.
//
// Thread safety: none; it lives on one event loop. Cost of ShouldRateLimit over a MemoryStore: its
// answer is in the output when `feed` returns.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "tidegate/base/conversation.h"
#include "tidegate/frontend/grpc/replies.h"
#include "tidegate/frontend/grpc/service.h"
#include "tidegate/frontend/grpc/stream.h"
#include "tidegate/wire/http2.h"

namespace tidegate::frontend {

class GrpcConversation final : public Conversation, private http2::Handler {
 public:
  explicit GrpcConversation(GrpcLoop& loop);
  ~GrpcConversation() override;

  void feed(std::string_view bytes) override;
  std::string_view output() const override { return session_.output(); }
  void sent(std::size_t bytes) override { session_.sent(bytes); }
  bool want_read() const override { return !over_ && session_.want_read(); }
  void drain() override;
  bool finished() const override { return over_ || session_.finished(); }

  // A call of ShouldRateLimit is complete.
  void decided(const LimitCall& call);

  void tick(Time now);

 private:
  void on_headers(http2::StreamId id, http2::Headers headers) override;
  void on_data(http2::StreamId id, std::string_view bytes) override;
  void on_end(http2::StreamId id) override;
  void on_close(http2::StreamId id) override;

  void take(GrpcStream& stream, const grpc::Message& message);
  void take_whole(GrpcStream& stream, std::string_view message);
  void carry_out(GrpcStream& stream);
  void should_rate_limit(GrpcStream& stream);
  void check_health(GrpcStream& stream);
  void watch_health(GrpcStream& stream);
  bool tell_health(GrpcStream& stream);
  void reflect_on(GrpcStream& stream, std::string_view message);
  Health health_of(std::string_view service) const;
  void end_streams_without_an_end();
  void come_of_age(Time now);
  void flush();

  GrpcLoop& loop_;
  const Time old_at_;
  Time over_at_ = kEndOfTime;
  bool feeding_ = false;
  bool draining_ = false;
  bool over_ = false;
  std::unordered_map<http2::StreamId, GrpcStream> streams_;
  http2::Session session_;
  GrpcReplies replies_{session_, loop_};
};

}  // namespace tidegate::frontend
