// Calls by gRPC, from bytes to bytes.
#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "tests/support/delayed_store.h"
#include "tests/support/grpc_talk.h"
#include "tests/support/random.h"
#include "tidegate/frontend/rls/answer.h"
#include "tidegate/frontend/rls/request.h"
#include "tidegate/frontend/rule_call.h"

namespace tidegate {
namespace {

using namespace std::chrono_literals;
using test::framed;
using test::GrpcTalk;
using test::kShouldRateLimit;
using test::limit_request;

constexpr char kRules[] = R"(
domain: api
descriptors:
  - key: user
    rate_limit: {unit: minute, requests_per_unit: 2, name: per-user}
  - key: address
    rate_limit: {limit: 3/10s}
)";

constexpr char kAsUser[] =
    R"({"domain":"api","descriptors":[{"entries":[{"key":"user","value":"42"}]}]})";

std::string gzip(std::string_view bytes) {
  std::string out(bytes.size() + 100, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.erase(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string compressed(std::string_view payload) {
  std::string bytes = framed(payload);
  bytes[0] = 1;
  return bytes;
}

TEST(Grpc, Answers_with_a_status_for_each_descriptor) {
  GrpcTalk talk{kRules};
  EXPECT_EQ(
      talk.limit(kAsUser).json,
      R"({"overallCode":"OK","statuses":[{"code":"OK","currentLimit":{"requestsPerUnit":2,)"
      R"("unit":"MINUTE","name":"per-user"},"limitRemaining":1,"durationUntilReset":"60s"}]})");
  talk.limit(kAsUser);
  talk.clock.advance(500ms);
  const test::GrpcResult denied = talk.limit(kAsUser);
  EXPECT_EQ(denied.status, "0") << "a denial is no error";
  EXPECT_EQ(
      denied.json,
      R"({"overallCode":"OVER_LIMIT","statuses":[{"code":"OVER_LIMIT","currentLimit":{)"
      R"("requestsPerUnit":2,"unit":"MINUTE","name":"per-user"},"durationUntilReset":"60s"}]})");
}

TEST(Grpc, Answers_alike_however_the_bytes_are_split) {
  std::string first;
  for (const std::size_t piece : {1UL << 20, 1UL, 2UL, 3UL, 5UL, 7UL, 64UL}) {
    GrpcTalk talk{kRules};
    std::vector<std::int32_t> ids;
    for (int i = 0; i < 5; ++i)
      ids.push_back(talk.begin(kShouldRateLimit, framed(limit_request(kAsUser))));
    ids.push_back(talk.begin("/no/method", framed("")));
    talk.talk(piece);
    std::string all;
    for (const std::int32_t id : ids)
      all += talk.result(id).status + talk.result(id).json + talk.result(id).message + "\n";
    if (first.empty()) first = all;
    EXPECT_EQ(all, first) << piece;
  }
}

TEST(Grpc, Refuses_what_no_limit_can_be_asked_of) {
  GrpcTalk talk{kRules};
  const std::pair<const char*, const char*> kMistakes[] = {
      {R"({"descriptors":[{"entries":[{"key":"user","value":"42"}]}]})",
       "rate limit domain: must not be empty"},
      {R"({"domain":"api"})", "rate limit descriptor list: must not be empty"},
      {R"({"domain":"api","descriptors":[{"limit":{"requestsPerUnit":1}}]})",
       "descriptors[0].limit.unit: expected SECOND, MINUTE, HOUR, DAY, MONTH or YEAR"}};
  for (const auto& [json, what] : kMistakes) {
    EXPECT_EQ(talk.limit(json).status, "3") << json;
    EXPECT_EQ(talk.limit(json).message, what);
  }
  EXPECT_EQ(talk.call(kShouldRateLimit, framed("\xff\xff")).status, "3");
  const std::string two =
      R"({"entries":[{"key":"a","value":"b"}],"limit":{"unit":"DAY","requestsPerUnit":)";
  EXPECT_EQ(talk.limit(R"({"domain":"api","descriptors":[)" + two + "1}}," + two + "2}}]}").status,
            "3")
      << "two limits of one key";
}

TEST(Grpc, Tells_calls_from_what_is_none) {
  GrpcTalk talk{kRules};
  const std::string body = framed(limit_request(kAsUser));
  const auto status = [&](const std::string& path, const std::string& type) {
    const auto id = talk.client->request(path, body, {{"content-type", type}});
    talk.talk();
    return talk.result(id).status;
  };
  EXPECT_EQ(status(kShouldRateLimit, "application/grpc"), "0");
  EXPECT_EQ(status(kShouldRateLimit, "application/grpc+proto"), "0");
  EXPECT_EQ(status(kShouldRateLimit, "application/grpc;x=y"), "0");
  EXPECT_EQ(status(kShouldRateLimit, "application/grpc+json"), "HTTP 415");
  EXPECT_EQ(status(kShouldRateLimit, "application/grpc-web"), "HTTP 415");
  EXPECT_EQ(status(kShouldRateLimit, "text/plain"), "HTTP 415");
  EXPECT_EQ(
      status("/envoy.service.ratelimit.v2.RateLimitService/ShouldRateLimit", "application/grpc"),
      "12");
}

TEST(Grpc, Takes_one_whole_message_within_its_bound) {
  GrpcTalk talk{kRules, {.max_message = 100}};
  const std::string whole = framed(limit_request(kAsUser));
  EXPECT_EQ(talk.call(kShouldRateLimit, "").status, "13");
  EXPECT_EQ(talk.call(kShouldRateLimit, whole.substr(0, whole.size() - 1)).status, "13");
  EXPECT_EQ(talk.call(kShouldRateLimit, whole + whole).status, "13");
  EXPECT_EQ(talk.call(kShouldRateLimit, whole + whole.substr(0, 4)).status, "13");
  EXPECT_EQ(talk.call(kShouldRateLimit, "\2" + whole.substr(1)).status, "13");
  EXPECT_EQ(talk.call(kShouldRateLimit, framed(std::string(101, 'x'))).status, "8");
  EXPECT_EQ(talk.store.counters().keys, 0U);
  EXPECT_EQ(talk.call(kShouldRateLimit, whole).status, "0");
}

TEST(Grpc, Stops_an_upload_that_it_has_refused) {
  GrpcTalk talk{kRules, {.max_message = 100}};
  const auto id = talk.begin(kShouldRateLimit, framed(std::string(1'000'000, 'x')));
  talk.talk();
  EXPECT_EQ(talk.result(id).status, "8");
  EXPECT_TRUE(talk.client->reply(id).closed);
  EXPECT_LT(talk.fed, 500'000U);
  EXPECT_EQ(talk.limit(kAsUser).status, "0") << "the connection goes on";
}

TEST(Grpc, Reads_gzip_and_no_other_compression) {
  GrpcTalk talk{kRules};
  const std::string request = limit_request(kAsUser);
  const std::string zipped = compressed(gzip(request));
  EXPECT_EQ(talk.call(kShouldRateLimit, zipped, {{"grpc-encoding", "gzip"}}).status, "0");
  EXPECT_EQ(talk.call(kShouldRateLimit, framed(request), {{"grpc-encoding", "gzip"}}).status, "0");
  EXPECT_EQ(talk.call(kShouldRateLimit, zipped).status, "13");
  EXPECT_EQ(talk.call(kShouldRateLimit, compressed(request), {{"grpc-encoding", "gzip"}}).status,
            "13");
  const std::string two = compressed(gzip(request) + "x");
  EXPECT_EQ(talk.call(kShouldRateLimit, two, {{"grpc-encoding", "gzip"}}).status, "13");
  const auto id = talk.begin(kShouldRateLimit, zipped, {{"grpc-encoding", "zstd"}});
  talk.talk();
  EXPECT_EQ(talk.result(id).status, "12");
  EXPECT_EQ(talk.client->reply(id).header("grpc-accept-encoding"), "identity,gzip");
}

TEST(Grpc, Bounds_what_a_compressed_message_grows_to) {
  GrpcTalk talk{kRules};
  const std::string bomb = compressed(gzip(std::string(8'000'000, '\0')));
  EXPECT_LT(bomb.size(), 20'000U);
  EXPECT_EQ(talk.call(kShouldRateLimit, bomb, {{"grpc-encoding", "gzip"}}).status, "8");
}

TEST(Grpc, Charges_nothing_once_the_deadline_has_passed) {
  GrpcTalk talk{kRules};
  EXPECT_EQ(talk.limit(kAsUser, {{"grpc-timeout", "0m"}}).status, "4");
  EXPECT_EQ(talk.limit(kAsUser, {{"grpc-timeout", "20m"}}).status, "0");
  EXPECT_EQ(talk.limit(kAsUser, {{"grpc-timeout", "20 ms"}}).status, "3");
  const auto slow =
      talk.begin(kShouldRateLimit, framed(limit_request(kAsUser)), {{"grpc-timeout", "20m"}});
  const std::string bytes = talk.client->output();
  talk.conversation->feed(bytes.substr(0, bytes.size() - 1));
  talk.clock.advance(20ms);
  talk.conversation->feed(bytes.substr(bytes.size() - 1));
  talk.talk();
  EXPECT_EQ(talk.result(slow).status, "4");
  EXPECT_NE(talk.limit(kAsUser).json.find(R"("overallCode":"OK")"), std::string::npos);
}

TEST(Grpc, Counts_answers_and_connections) {
  GrpcTalk talk{kRules};
  talk.limit(kAsUser);
  talk.limit(R"({"domain":"api"})");
  talk.connect();
  const frontend::GrpcCounts counts = talk.service.counts();
  EXPECT_EQ(counts.connections, 1U);
  EXPECT_EQ(counts.connected, 2U);
  EXPECT_EQ(counts.answers[0], 1U);
  EXPECT_EQ(counts.answers[3], 1U);
}

// A request as anybody may make it: domains, keys and limits that exist or do not.
std::string random_request(test::Random& random) {
  const auto one_of = [&](std::initializer_list<const char*> words) {
    return std::string{
        words.begin()[static_cast<std::size_t>(random.between(0, std::ssize(words) - 1))]};
  };
  const auto number = [&](std::int64_t most) { return std::to_string(random.between(0, most)); };
  std::string descriptors;
  for (std::int64_t left = random.between(1, 4); left > 0; --left) {
    std::string entries;
    for (std::int64_t more = random.between(0, 2); more > 0; --more)
      entries += std::string{entries.empty() ? "" : ","} + R"({"key":")" +
                 one_of({"user", "address", "trial", "free", "x"}) + R"(","value":")" +
                 one_of({"a", "b", ""}) + R"("})";
    descriptors += std::string{descriptors.empty() ? "" : ","} + R"({"entries":[)" + entries + "]";
    if (random.chance(20))
      descriptors += R"(,"limit":{"requestsPerUnit":)" + number(3) + R"(,"unit":")" +
                     one_of({"SECOND", "MINUTE", "YEAR"}) + R"("})";
    if (random.chance(20)) descriptors += R"(,"hitsAddend":")" + number(4) + R"(")";
    descriptors += "}";
  }
  return R"({"domain":")" + one_of({"api", "api", "other"}) + R"(","hitsAddend":)" + number(2) +
         R"(,"descriptors":[)" + descriptors + "]}";
}

// The same by the shortest way there is: no connection, and JSON from end to end.
std::string directly(frontend::RuleLoop& loop, const std::string& json) {
  frontend::rls::Request request;
  if (!request.read_json(json, Algorithm::kSlidingWindow)) return "refused";
  frontend::RuleCall call{frontend::Protocol::kHttp, [](frontend::RuleCall&) {}};
  loop.ask(request.descriptors(), call);
  if (call.problem()) return "refused";
  frontend::rls::Answer answer;
  answer.write(call);
  EXPECT_EQ(answer.over_limit(), !call.allowed());
  return answer.json().value();
}

TEST(Grpc, Answers_any_request_as_the_rules_do_without_it) {
  constexpr char kMore[] = R"(
domain: api
descriptors:
  - key: user
    rate_limit: {unit: minute, requests_per_unit: 2, name: per-user}
    descriptors: [{key: address, value: "a*", rate_limit: {limit: 3/10s burst 5}}]
  - {key: address, quota_mode: true, rate_limit: {limit: 3/10s}}
  - {key: trial, shadow_mode: true, rate_limit: {limit: 1/h, replaces: [{name: per-user}]}}
  - {key: free, rate_limit: {unlimited: true}}
)";
  test::for_each_trace(50, [&](test::Random& random) {
    GrpcTalk talk{kMore};
    ManualClock clock;
    MemoryStore store{{}, clock};
    frontend::RuleService rules{store, clock, {}};
    rules.use(test::load_text(kMore).rules);
    frontend::RuleLoop loop{rules};
    for (int i = 0; i < 60; ++i) {
      const std::string request = random_request(random);
      const test::GrpcResult result = talk.limit(request);
      EXPECT_EQ(result.status == "3" ? "refused" : result.json, directly(loop, request)) << request;
      const Duration later{random.log_between(0, 5'000'000)};
      talk.clock.advance(later);
      clock.advance(later);
    }
  });
}

struct Late {
  explicit Late(std::uint64_t seed) : store{memory, seed} {}
  ManualClock clock;
  MemoryStore memory{{}, clock};
  test::DelayedStore store;
};

TEST(GrpcLate, Answers_come_in_any_order) {
  test::for_each_trace(50, [](test::Random& random) {
    Late late{random.bits()};
    GrpcTalk talk{kRules, {}, &late.store};
    std::vector<std::int32_t> open;
    std::size_t cancelled = 0;
    for (int i = 0; i < 40; ++i) {
      open.push_back(talk.begin(kShouldRateLimit, framed(limit_request(kAsUser))));
      if (random.chance(20)) {
        talk.talk();
        talk.client->cancel(open.back());
        open.pop_back();
        ++cancelled;
      }
      if (random.chance(30)) talk.talk();
      if (random.chance(30)) late.store.run_one();
    }
    talk.talk();
    late.store.run_all();
    talk.talk();
    for (const std::int32_t id : open) EXPECT_EQ(talk.result(id).status, "0");
    EXPECT_GE(talk.service.counts().answers[0], open.size());
    EXPECT_LE(talk.service.counts().answers[0], open.size() + cancelled);
  });
}

// Answers when it is told to, without having decided.
class AbsentStore final : public Store {
 public:
  void submit(TakeOp& op) override {
    op.verdict = {.decisions = std::vector<Decision>(op.takes.size(), Decision{.allowed = true}),
                  .allowed = true,
                  .degraded = true};
    if (broken) op.error = Error{"store", "is away"};
    op.complete(op);
  }
  void submit(GiveBackOp&) override {}
  void submit(ResetOp&) override {}

  bool broken = false;
};

TEST(Grpc, Tells_a_store_that_is_away_from_a_request_that_is_wrong) {
  AbsentStore absent;
  absent.broken = true;
  GrpcTalk talk{kRules, {}, &absent};
  EXPECT_EQ(talk.limit(kAsUser).status, "14");
  EXPECT_EQ(talk.limit(kAsUser).message, "store: is away");
}

TEST(GrpcLate, A_store_that_is_away_is_answered_for_until_the_deadline) {
  AbsentStore absent;
  test::DelayedStore store{absent, 1};
  GrpcTalk talk{kRules, {}, &store};
  for (const auto& [wait, status] : {std::pair{19ms, "0"}, std::pair{20ms, "4"}}) {
    const auto id =
        talk.begin(kShouldRateLimit, framed(limit_request(kAsUser)), {{"grpc-timeout", "20m"}});
    talk.talk();
    talk.clock.advance(wait);
    store.run_all();
    talk.talk();
    EXPECT_EQ(talk.result(id).status, status);
  }
}

TEST(GrpcLate, Calls_may_outlive_their_connection) {
  Late late{1};
  GrpcTalk talk{kRules, {}, &late.store};
  for (int i = 0; i < 3; ++i) talk.begin(kShouldRateLimit, framed(limit_request(kAsUser)));
  talk.talk();
  talk.connect();
  EXPECT_GT(late.store.run_all(), 0U);
  const auto id = talk.begin(kShouldRateLimit, framed(limit_request(kAsUser)));
  talk.talk();
  late.store.run_all();
  talk.talk();
  EXPECT_NE(talk.result(id).json.find("OVER_LIMIT"), std::string::npos) << "they were charged";
}

TEST(GrpcDrain, Answers_what_is_open_and_ends) {
  Late late{1};
  GrpcTalk talk{kRules, {}, &late.store};
  const auto id = talk.begin(kShouldRateLimit, framed(limit_request(kAsUser)));
  talk.talk();
  talk.conversation->drain();
  talk.talk();
  EXPECT_FALSE(talk.conversation->finished());
  late.store.run_all();
  talk.talk();
  EXPECT_EQ(talk.result(id).status, "0");
  EXPECT_TRUE(talk.conversation->finished());
}

TEST(GrpcAge, Ends_a_connection_give_or_take_a_tenth) {
  GrpcTalk talk{kRules, {.max_connection_age = 100s}};
  talk.limit(kAsUser);
  talk.clock.advance(89s);
  talk.loop.tick();
  talk.talk();
  EXPECT_EQ(talk.client->goaways(), 0);
  talk.clock.advance(21s);
  talk.loop.tick();
  talk.talk();
  EXPECT_GE(talk.client->goaways(), 1);
  EXPECT_TRUE(talk.conversation->finished());
}

TEST(GrpcAge, Is_not_the_same_for_all) {
  int ended_early = 0;
  for (int i = 0; i < 40; ++i) {
    GrpcTalk talk{kRules, {.max_connection_age = 100s}};
    talk.clock.advance(100s);
    talk.loop.tick();
    talk.talk();
    ended_early += talk.conversation->finished();
  }
  EXPECT_GT(ended_early, 0);
  EXPECT_LT(ended_early, 40);
}

TEST(GrpcAge, Ends_calls_when_the_grace_is_over) {
  Late late{1};
  GrpcTalk talk{kRules, {.max_connection_age = 100s, .max_connection_age_grace = 10s}, &late.store};
  talk.begin(kShouldRateLimit, framed(limit_request(kAsUser)));
  talk.talk();
  talk.clock.advance(120s);
  talk.loop.tick();
  talk.clock.advance(9s);
  talk.loop.tick();
  EXPECT_FALSE(talk.conversation->finished());
  talk.clock.advance(1s);
  talk.loop.tick();
  EXPECT_TRUE(talk.conversation->finished());
  late.store.run_all();
}

}  // namespace
}  // namespace tidegate
