// The HTTP front end: every path, and the conversation itself.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/delayed_store.h"
#include "tests/support/http_talk.h"
#include "tests/support/random.h"

namespace tidegate {
namespace {

using namespace std::chrono_literals;
using test::HttpAnswer;
using test::HttpTalk;

constexpr char kRules[] = R"(
domain: api
descriptors:
  - key: user
    rate_limit: {limit: 2/min}
  - key: address
    value: "10.*"
    rate_limit: {name: inner, unlimited: true}
    shadow_mode: false
)";
constexpr char kUser[] =
    R"({"domain":"api","descriptors":[{"entries":[{"key":"user","value":"42"}]}]})";

TEST(HttpJson, Allows_so_many_and_then_says_when_to_come_again) {
  HttpTalk talk{kRules};
  EXPECT_EQ(
      talk.ask("POST", "/json", kUser).shown(),
      R"(200 {"overallCode":"OK","statuses":[{"code":"OK","currentLimit":{"requestsPerUnit":2,)"
      R"("unit":"MINUTE"},"limitRemaining":1,"durationUntilReset":"60s"}]})");
  talk.clock.advance(500ms);
  EXPECT_EQ(talk.ask("POST", "/json", kUser).status, 200);
  const HttpAnswer denied = talk.ask("POST", "/json", kUser);
  EXPECT_EQ(denied.shown(),
            R"(429 {"overallCode":"OVER_LIMIT","statuses":[{"code":"OVER_LIMIT","currentLimit":)"
            R"({"requestsPerUnit":2,"unit":"MINUTE"},"durationUntilReset":"60s"}]})");
  EXPECT_NE(denied.fields.find("Retry-After: 60\r\n"), std::string::npos) << "59.5 s, rounded up";
  talk.clock.advance(60s - 500ms);
  EXPECT_EQ(talk.ask("POST", "/json", kUser).status, 200);
}

TEST(HttpJson, Names_no_time_to_come_again_for_what_can_never_pass) {
  HttpTalk talk{kRules};
  const HttpAnswer denied = talk.ask(
      "POST", "/json",
      R"({"domain":"api","hitsAddend":3,"descriptors":[{"entries":[{"key":"user","value":"42"}]}]})");
  EXPECT_EQ(denied.status, 429);
  EXPECT_EQ(denied.fields.find("Retry-After"), std::string::npos) << denied.fields;
}

TEST(HttpJson, Takes_any_method_and_names_in_both_spellings) {
  HttpTalk talk{kRules};
  EXPECT_EQ(talk.ask("GET", "/json", kUser).status, 200);
  EXPECT_EQ(
      talk.ask(
              "PUT", "/json",
              R"({"domain":"api","hits_addend":3,"descriptors":[{"entries":[{"key":"user","value":"7"}]}]})")
          .status,
      429);
}

TEST(HttpJson, Says_what_is_wrong_with_a_body) {
  HttpTalk talk{kRules};
  const std::pair<const char*, const char*> kMistakes[] = {
      {"{", "request: expected the JSON of a RateLimitRequest"},
      {"[]", "request: expected the JSON of a RateLimitRequest"},
      {R"({"domain":"api","descriptor":[]})", "Cannot find field"},
      {R"({"domain":"api"})", "rate limit descriptor list: must not be empty"},
      {R"({"descriptors":[{"entries":[]}]})", "rate limit domain: must not be empty"},
      {R"({"domain":"api","descriptors":[{},{"limit":{"requestsPerUnit":1}}]})",
       "descriptors[1].limit.unit: expected SECOND, MINUTE, HOUR, DAY, MONTH or YEAR"},
      {R"({"domain":"api","hitsAddend":-1,"descriptors":[{}]})", "request: expected the JSON"}};
  for (const auto& [body, words] : kMistakes) {
    const HttpAnswer answer = talk.ask("POST", "/json", body);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_NE(answer.body.find(words), std::string::npos) << body << "\n" << answer.body;
  }
  EXPECT_EQ(talk.ask("POST", "/json").status, 400) << "no body";
}

TEST(HttpJson, Bounds_the_depth_of_a_body) {
  HttpTalk talk{kRules};
  const std::string deep = R"({"domain":)" + std::string(20'000, '[');
  EXPECT_EQ(talk.ask("POST", "/json", deep).status, 400);
}

TEST(HttpHealth, Follows_what_the_server_is_ready_for) {
  HttpTalk talk;
  EXPECT_EQ(talk.get("/healthcheck"), "200 OK");
  EXPECT_EQ(talk.get("/healthz"), "200 OK\n");
  EXPECT_EQ(talk.get("/readyz"), "200 ready\n");
  talk.front_end.pages.is_ready = false;
  EXPECT_EQ(talk.get("/healthcheck"), "500 ");
  EXPECT_EQ(talk.get("/healthz"), "200 OK\n");
  EXPECT_EQ(talk.get("/readyz"), "503 not ready\n");
}

TEST(HttpPages, Show_metrics_rules_and_the_top) {
  HttpTalk talk{kRules};
  EXPECT_EQ(talk.get("/metrics"), "200 up 1\n");
  EXPECT_NE(talk.ask("GET", "/metrics").fields.find("Content-Type: text/plain; version=0.0.4"),
            std::string::npos);
  EXPECT_EQ(talk.get("/rlconfig"),
            "200 api|user: 2/min (rules.yaml:4:5)\n"
            "api|address=10.*: unlimited, name: inner (rules.yaml:6:5)\n");
  EXPECT_EQ(talk.get("/v1/top"), "200 20");
  EXPECT_EQ(talk.get("/v1/top?x=1&most=7"), "200 7");
  EXPECT_EQ(talk.get("/v1/top?most=1000000"), "200 1000");
}

TEST(HttpPages, Answer_head_without_a_body) {
  HttpTalk talk;
  const HttpAnswer answer = talk.ask("HEAD", "/healthz");
  EXPECT_EQ(answer.status, 200);
  EXPECT_NE(answer.fields.find("Content-Length: 3\r\n"), std::string::npos);
  EXPECT_EQ(talk.get("/healthz"), "200 OK\n") << "nothing was left over";
}

TEST(HttpPages, Name_the_paths_there_are_and_the_methods) {
  HttpTalk talk;
  EXPECT_EQ(talk.get("/nothing"),
            "404 no page \"/nothing\"; there are /json /healthcheck /healthz /readyz /metrics "
            "/rlconfig /v1/top /-/reload\n");
  const HttpAnswer answer = talk.ask("DELETE", "/metrics");
  EXPECT_EQ(answer.shown(), "405 /metrics takes GET, HEAD, not \"DELETE\"\n");
  EXPECT_NE(answer.fields.find("Allow: GET, HEAD\r\n"), std::string::npos);
  EXPECT_EQ(talk.ask("GET", "/-/reload").status, 405);
}

// What is answered to a reload from that peer; "" while it is still to come.
std::string reload(HttpTalk& talk, std::string peer, std::string_view fields = {}) {
  talk.connect(std::move(peer));
  const auto answers =
      test::answers_in(talk.send(HttpTalk::request("POST", "/-/reload", {}, fields)));
  return answers.empty() ? "" : std::to_string(answers.front().status);
}

TEST(HttpReload, Is_for_this_machine_and_for_who_knows_the_token) {
  HttpTalk talk{kRules, {.reload_token = "swordfish"}};
  for (const char* peer : {"127.0.0.1:5", "[::1]:5", "[::ffff:127.0.0.1]:5", "unix:"})
    EXPECT_EQ(reload(talk, peer), "") << peer;
  EXPECT_EQ(reload(talk, "192.0.2.1:5"), "403");
  EXPECT_EQ(reload(talk, "192.0.2.1:5", "Authorization: Bearer swordfis\r\n"), "403");
  EXPECT_EQ(reload(talk, "192.0.2.1:5", "Authorization: swordfish\r\n"), "403");
  EXPECT_EQ(reload(talk, "192.0.2.1:5", "Authorization: Bearer swordfish\r\n"), "");
  EXPECT_EQ(reload(talk, "127.0.0.1:5", "Origin: http://elsewhere.example\r\n"), "403");
  EXPECT_EQ(reload(talk, "127.0.0.1:5", "Sec-Fetch-Site: cross-site\r\n"), "403");
  EXPECT_EQ(talk.front_end.pages.reloads.size(), 5U);
}

TEST(HttpReload, Without_a_token_is_for_this_machine_alone) {
  HttpTalk talk;
  EXPECT_EQ(reload(talk, "192.0.2.1:5", "Authorization: Bearer \r\n"), "403");
  EXPECT_EQ(reload(talk, "192.0.2.1:5", "Authorization: Bearer x\r\n"), "403");
}

TEST(HttpReload, Answers_when_it_is_done_with_every_mistake) {
  HttpTalk talk;
  const std::string request = HttpTalk::request("POST", "/-/reload");
  EXPECT_EQ(talk.send(request + request), "");
  talk.front_end.pages.reloads[1]({});
  EXPECT_EQ(talk.take_output(), "") << "in the order of the requests";
  talk.front_end.pages.reloads[0]({{"a.yaml:1:2", "no"}, {"b.yaml:3:4", "neither"}});
  const auto answers = test::answers_in(talk.take_output());
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].shown(),
            "400 a.yaml:1:2: no\nb.yaml:3:4: neither\nthe rules that were in use still are\n");
  EXPECT_EQ(answers[1].shown(), "200 reloaded\n");
}

TEST(HttpReload, May_be_done_after_its_connection_has_gone) {
  HttpTalk talk;
  talk.send(HttpTalk::request("POST", "/-/reload"));
  talk.conversation.reset();
  talk.front_end.pages.reloads[0]({});
  EXPECT_EQ(talk.front_end.service.counts().answers[1], 1U);
}

TEST(HttpConversation, Goes_on_or_ends_as_the_request_says) {
  HttpTalk talk;
  const std::string page = "GET /healthz HTTP/1.1\r\nHost: x\r\n";
  EXPECT_EQ(test::answers_in(talk.send(page + "\r\n" + page + "\r\n")).size(), 2U);
  EXPECT_FALSE(talk.conversation->finished());
  const std::string last = talk.send(page + "Connection: close\r\n\r\n" + page + "\r\n");
  EXPECT_EQ(test::answers_in(last).size(), 1U);
  EXPECT_NE(last.find("Connection: close\r\n"), std::string::npos);
  EXPECT_TRUE(talk.conversation->finished());
  talk.connect();
  EXPECT_NE(talk.send("GET /healthz HTTP/1.0\r\n\r\n").find("Connection: close"),
            std::string::npos);
  EXPECT_TRUE(talk.conversation->finished());
  talk.connect();
  const std::string kept = talk.send("GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_NE(kept.find("Connection: keep-alive\r\n"), std::string::npos);
  EXPECT_FALSE(talk.conversation->finished());
}

TEST(HttpConversation, Welcomes_a_body_that_waits_for_word) {
  HttpTalk talk{kRules};
  const std::string request = HttpTalk::request("POST", "/json", kUser, "Expect: 100-continue\r\n");
  const std::size_t body = request.find("\r\n\r\n") + 4;
  EXPECT_EQ(talk.send(request.substr(0, body)), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(test::answers_in(talk.send(request.substr(body))).front().status, 200);
}

TEST(HttpConversation, Reads_bodies_in_chunks) {
  HttpTalk talk{kRules};
  std::string request = "POST /json HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string_view body = kUser;
  constexpr std::size_t kPiece = 9;
  for (std::size_t at = 0; at < body.size(); at += kPiece) {
    const std::string_view piece = body.substr(at, kPiece);
    request += std::to_string(piece.size()) + ";note=x\r\n";
    request.append(piece).append("\r\n");
  }
  EXPECT_EQ(test::answers_in(talk.send(request + "0\r\n\r\n")).front().status, 200);
}

TEST(HttpConversation, Refuses_what_could_be_read_in_two_ways) {
  const std::pair<const char*, int> kRequests[] = {
      {"POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400},
      {"POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
       400},
      {"POST /json HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n",
       400},
      {"POST /json HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 400},
      {"POST /json HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n", 400},
      {"POST /json HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {"POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: -2\r\n\r\n", 400},
      {"POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: 2a\r\n\r\n", 400},
      {"POST /json HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxx\r\n", 400},
      {"GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n", 400},
      {"GET /healthz HTTP/1.1\r\n\r\n", 400},
      {"GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400},
      {"GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n", 505},
      {"GET /healthz\r\n\r\n", 400},
      {"*1\r\n$4\r\nPING\r\n", 400},
      {"GET /he\x01lthz HTTP/1.1\r\nHost: x\r\n\r\n", 400}};
  for (const auto& [request, status] : kRequests) {
    HttpTalk talk;
    const auto answers = test::answers_in(talk.send(request));
    ASSERT_EQ(answers.size(), 1U) << request;
    EXPECT_EQ(answers.front().status, status) << request;
    EXPECT_NE(answers.front().fields.find("Connection: close"), std::string::npos);
    EXPECT_TRUE(talk.conversation->finished()) << request;
  }
}

TEST(HttpConversation, Bounds_head_and_body) {
  HttpTalk talk;
  const std::string head = "GET /healthz HTTP/1.1\r\nHost: x\r\nX: ";
  EXPECT_EQ(test::answers_in(talk.send(head + std::string(20'000, 'x')))[0].status, 431);
  talk.connect();
  std::string fields;
  for (int i = 0; i < 2000; ++i) fields += "X-" + std::to_string(i) + ": y\r\n";
  EXPECT_EQ(test::answers_in(talk.send(HttpTalk::request("GET", "/healthz", {}, fields)))[0].status,
            431);
  talk.connect();
  EXPECT_EQ(test::answers_in(
                talk.send("POST /json HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n"))[0]
                .status,
            413)
      << "as soon as it is announced";
  talk.connect();
  std::string chunks = "POST /json HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 5; ++i) chunks += "10000\r\n" + std::string(0x10000, ' ') + "\r\n";
  EXPECT_EQ(test::answers_in(talk.send(chunks))[0].status, 413);
}

std::string random_pipeline(test::Random& random) {
  const std::string requests[] = {
      HttpTalk::request("GET", "/healthz"),
      HttpTalk::request("GET", "/nothing", {}, "Connection: keep-alive\r\n"),
      HttpTalk::request("POST", "/json", kUser),
      HttpTalk::request("POST", "/json", "{}"),
      HttpTalk::request("DELETE", "/rlconfig"),
      HttpTalk::request("POST", "/json", kUser, "Expect: 100-continue\r\n"),
      "POST /json HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
      "\r\nGET /readyz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"};
  std::string bytes;
  for (std::int64_t i = random.between(1, 8); i > 0; --i) bytes += random.pick_from(requests);
  if (random.chance(20))
    bytes += random.pick({"GET / HTTP/9.9\r\n\r\n", "x", "GET /healthz HTTP/1.0\r\n\r\n"});
  return bytes;
}

// Without the word that is said only to a body that has not come.
std::string without_welcome(std::string text) {
  const std::string_view kWelcome = "HTTP/1.1 100 Continue\r\n\r\n";
  for (std::size_t at = 0; (at = text.find(kWelcome)) != std::string::npos;)
    text.erase(at, kWelcome.size());
  return text;
}

TEST(HttpConversation, Answers_alike_however_a_pipeline_is_split) {
  test::for_each_trace(300, [](test::Random& random) {
    const std::string bytes = random_pipeline(random);
    const std::string whole = without_welcome(HttpTalk{kRules}.send(bytes));
    HttpTalk split{kRules};
    std::string answers;
    const std::int64_t longest = random.pick({1, 3, 50});
    for (std::size_t at = 0; at < bytes.size();) {
      const auto size = static_cast<std::size_t>(random.between(1, longest));
      answers += split.send(bytes.substr(at, size));
      at += size;
    }
    EXPECT_EQ(without_welcome(answers), whole);
  });
}

TEST(HttpConversation, Survives_mutated_input) {
  test::for_each_trace(3'000, [&](test::Random& random) {
    std::string bytes = random_pipeline(random);
    for (std::int64_t changes = random.between(1, 5); changes > 0 && !bytes.empty(); --changes) {
      const auto at = static_cast<std::size_t>(random.between(0, std::ssize(bytes) - 1));
      bytes[at] = static_cast<char>(random.pick<int>({'\r', '\n', ' ', ':', '0', '-', 0, 0xff}));
    }
    HttpTalk talk{kRules};
    for (const HttpAnswer& answer : test::answers_in(without_welcome(talk.send(bytes))))
      EXPECT_GE(answer.status, 200) << answer.body;
  });
}

// Over a store that answers late and out of order.
class HttpLate : public testing::Test {
 protected:
  HttpLate() { front_end_.rules.use(test::load_text(kRules).rules); }

  ManualClock clock_;
  MemoryStore memory_{{}, clock_};
  test::DelayedStore late_{memory_, 7};
  test::HttpFrontEnd front_end_{late_, clock_, {.max_outstanding = 2}};
  std::unique_ptr<Conversation> conversation_ = front_end_.loop.connect("peer");
  const std::string asked_ = HttpTalk::request("POST", "/json", kUser);
};

TEST_F(HttpLate, Answers_in_the_order_of_the_requests) {
  int changes = 0;
  conversation_->on_change([&] { ++changes; });
  conversation_->feed(asked_ + HttpTalk::request("GET", "/healthz"));
  EXPECT_EQ(conversation_->output(), "");
  late_.run_all();
  EXPECT_EQ(changes, 1);
  const auto answers = test::answers_in(conversation_->output());
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[1].shown(), "200 OK\n");
}

TEST_F(HttpLate, Waits_while_too_many_are_outstanding) {
  conversation_->feed(asked_ + asked_ + asked_ + asked_);
  EXPECT_FALSE(conversation_->want_read());
  conversation_->drain();
  EXPECT_FALSE(conversation_->finished());
  late_.run_all();
  EXPECT_EQ(test::answers_in(conversation_->output()).size(), 4U);
  EXPECT_TRUE(conversation_->finished());
}

TEST_F(HttpLate, Says_of_the_last_answers_that_nothing_comes_after_them) {
  conversation_->feed(asked_);
  conversation_->drain();
  EXPECT_FALSE(conversation_->want_read());
  late_.run_all();
  EXPECT_NE(conversation_->output().find("Connection: close"), std::string::npos);
  EXPECT_TRUE(conversation_->finished());
}

TEST_F(HttpLate, May_lose_its_connection) {
  conversation_->feed(asked_ + asked_);
  conversation_.reset();
  EXPECT_GT(late_.run_all(), 0U);
  EXPECT_EQ(front_end_.service.counts().connections, 0U);
  EXPECT_EQ(front_end_.service.counts().answers[1], 2U);
}

TEST(HttpConversation, Bounds_the_output_of_a_client_that_takes_nothing) {
  HttpTalk talk{{}, {.max_output = 1'000}};
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes += HttpTalk::request("GET", "/healthz");
  talk.conversation->feed(bytes);
  EXPECT_LT(talk.conversation->output().size(), 1'300U);
  EXPECT_FALSE(talk.conversation->want_read());
  std::string all;
  while (!talk.conversation->output().empty()) all += talk.take_output();
  EXPECT_EQ(test::answers_in(all).size(), 1000U);
}

}  // namespace
}  // namespace tidegate
