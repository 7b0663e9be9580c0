// What the gRPC connections of a server share: whether it is ready, the options, the counts.
//
//   GrpcService service{[] { return true; }, {}};
//   GrpcLoop loop{service, rules};               // one for each event loop, and its RuleLoop
//   loop.connect()                               // a Conversation for each connection
//   loop.tick();                                 // now and then, about once a second
//
// Thread safety: a GrpcService may be used from any thread; a GrpcLoop and its conversations belong
// to one event loop, and the loop outlives them and their calls. Cost of a tick: a look at each
// connection.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include "tidegate/base/conversation.h"
#include "tidegate/base/time.h"
#include "tidegate/frontend/loop_count.h"
#include "tidegate/frontend/loop_sums.h"
#include "tidegate/frontend/rls/answer.h"
#include "tidegate/frontend/rule_service.h"
#include "tidegate/wire/grpc.h"
#include "tidegate/wire/http2.h"

namespace tidegate::frontend {

struct GrpcOptions {
  rls::AnswerOptions answer = {};
  std::size_t max_message = std::size_t{64} * 1024;  // bytes of a request
  // A connection is asked to end at this age, give or take a tenth, so that a proxy finds servers
  // that were added; and ends, whatever is still open on it, when the grace is over. 0: never.
  Duration max_connection_age{0};
  Duration max_connection_age_grace{0};
  http2::Options http2 = {};
};

// Counts of one loop, or the sums of all.
struct GrpcCounts {
  std::uint64_t connections = 0;                      // open now
  std::uint64_t connected = 0;                        // since the start
  std::array<std::uint64_t, grpc::kCodes> answers{};  // by status code

  GrpcCounts& operator+=(const GrpcCounts& more);
};

class GrpcConversation;
class GrpcLoop;
class LimitCall;

class GrpcService {
 public:
  // `ready` says whether requests should come here; it may be called from any event loop.
  GrpcService(std::function<bool()> ready, GrpcOptions options);

  bool ready() const { return ready_(); }
  const GrpcOptions& options() const { return options_; }
  GrpcCounts counts() const;

 private:
  friend class GrpcLoop;

  const std::function<bool()> ready_;
  const GrpcOptions options_;
  LoopSums<GrpcLoop, GrpcCounts> loops_;
};

class GrpcLoop {
 public:
  GrpcLoop(GrpcService& service, RuleLoop& rules);
  ~GrpcLoop();
  GrpcLoop(const GrpcLoop&) = delete;
  GrpcLoop& operator=(const GrpcLoop&) = delete;

  std::unique_ptr<Conversation> connect();

  // Ends connections that have come of age, and tells those who watch the server's health.
  void tick();

  GrpcService& service() const { return service_; }
  GrpcCounts counts() const;
  void count_answer(grpc::Code code) { answers_[static_cast<std::size_t>(code)].add(1); }

 private:
  friend class GrpcConversation;
  friend class LimitCall;

  Time now() const { return rules_.service().clock().now(); }
  Time end_of_a_new_connection();
  LimitCall& call();  // one that is not in use

  GrpcService& service_;
  RuleLoop& rules_;
  std::unordered_set<GrpcConversation*> conversations_;
  std::vector<std::unique_ptr<LimitCall>> calls_;  // all that were ever out at once
  std::vector<LimitCall*> free_calls_;
  rls::Answer answer_;
  std::string bytes_;     // of the answer
  std::string unzipped_;  // the message under way
  std::minstd_rand random_;
  LoopCount connected_;
  LoopCount disconnected_;
  std::array<LoopCount, grpc::kCodes> answers_;
};

}  // namespace tidegate::frontend
