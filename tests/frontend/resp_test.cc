// Our own commands, the connection's and the server's, and the conversation itself.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/resp_talk.h"

namespace tidegate {
namespace {

using namespace std::chrono_literals;
using test::RespTalk;

std::vector<std::string> all_commands() {
  std::vector<std::string> bytes;
  for (const char* line : {"PING",
                           "PING hello",
                           "ECHO hello",
                           "SELECT 0",
                           "SELECT 1",
                           "SELECT x",
                           "HELLO",
                           "HELLO 4",
                           "CLIENT ID",
                           "CLIENT GETNAME",
                           "CLIENT SETNAME me",
                           "CLIENT SETINFO lib-name x",
                           "CLIENT INFO",
                           "CLIENT LIST",
                           "COMMAND COUNT",
                           "CONFIG GET save",
                           "CONFIG SET a b",
                           "MULTI",
                           "EXEC",
                           "DISCARD",
                           "RESET",
                           "FLUSHALL",
                           "CL.THROTTLE k 4 5 60",
                           "CL.THROTTLE k 4 5 60 9",
                           "CL.THROTTLE k x",
                           "RL.TAKE k 5/min",
                           "RL.TAKE k 5/min 3",
                           "RL.CHECK k 5/min",
                           "RL.TAKE k 5/minn",
                           "RL.MTAKE 2 a 5/s 1 b 2/s 1",
                           "RL.MTAKE 2 a 5/s 1 b",
                           "RL.RULES api 1 1 user 42",
                           "RL.RULES api 2 1 user 42 2 user 7",
                           "RL.GIVEBACK k 5/min 1",
                           "RL.GIVEBACK k 5/min 1 1700000000000000",
                           "RL.RESET k",
                           "HELLO 3"})
    bytes.push_back(test::request(line));
  bytes.insert(bytes.end(), {"PING\r\n", "ECHO \"a b\"\n", "\r\n", "*0\r\n", "*-1\r\n",
                             "RL.TAKE 'k k' 1/s\r\n"});
  return bytes;
}

// A pipeline of random commands; the last one may end it.
std::string random_pipeline(test::Random& random, int commands) {
  static const std::vector<std::string> kCommands = all_commands();
  std::string bytes;
  for (int i = 0; i < commands; ++i) bytes += random.pick_from(kCommands);
  if (random.chance(20))
    bytes += random.pick({"*x\r\n", "*1\r\n!", "ECHO \"a\r\n", "*1\r\n$4\r\nQUIT\r\n"});
  return bytes;
}

std::string mutated(test::Random& random, std::string bytes) {
  for (std::int64_t changes = random.between(0, 5); changes > 0 && !bytes.empty(); --changes) {
    const auto at = static_cast<std::size_t>(random.between(0, std::ssize(bytes) - 1));
    if (random.chance(50)) {
      bytes[at] = static_cast<char>(random.pick<int>({'*', '$', '\r', '\n', '-', '9', 0, 0xff}));
    } else {
      bytes.erase(at, static_cast<std::size_t>(random.between(1, 4)));
    }
  }
  return bytes;
}

TEST(RespTake, Answers_the_decision_in_milliseconds) {
  RespTalk talk;
  EXPECT_EQ(talk("RL.TAKE k 2/60s"), "[1 2 1 0 60000 1700000000000000]");
  talk.clock.advance(1us);
  EXPECT_EQ(talk("rl.take k 2/60s 1"), "[1 2 0 0 60000 1700000000000001]");
  EXPECT_EQ(talk("RL.TAKE k 2/60s"), "[0 2 0 60000 60000 1700000000000001]") << "rounded up";
  EXPECT_EQ(talk("RL.TAKE k 2/60s 3"), "[0 2 0 -1 60000 1700000000000001]") << "never";
}

TEST(RespTake, Is_a_map_of_names_in_resp3) {
  RespTalk talk;
  talk("HELLO 3");
  EXPECT_EQ(talk.send(test::request("RL.TAKE k 2/60s")),
            "%6\r\n$7\r\nallowed\r\n:1\r\n$5\r\nlimit\r\n:2\r\n$9\r\nremaining\r\n:1\r\n"
            "$14\r\nretry_after_ms\r\n:0\r\n$14\r\nreset_after_ms\r\n:60000\r\n"
            "$5\r\nat_us\r\n:1700000000000000\r\n");
}

TEST(RespTake, Shows_a_limit_that_is_none) {
  RespTalk talk;
  const std::string reply = talk("RL.TAKE k 5/6x");
  EXPECT_TRUE(reply.starts_with("-ERR limit \"5/6x\"")) << reply;
  EXPECT_EQ(talk("RL.TAKE k 5/s -1"), "-ERR cost: expected an integer of 0 or more, not \"-1\"");
  EXPECT_TRUE(talk("RL.TAKE k 5/s 1 2").starts_with("-ERR syntax"));
}

TEST(RespCheck, Changes_nothing) {
  RespTalk talk;
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(talk("RL.CHECK k 2/60s"), "[1 2 1 0 60000 1700000000000000]");
  EXPECT_EQ(talk.store.counters().keys, 0U);
}

TEST(RespMtake, Decides_all_or_nothing_and_tells_which_take_bound) {
  RespTalk talk;
  EXPECT_EQ(talk("RL.MTAKE 2 a 5/60s 1 b 1/60s 1"), "[1 1 0 0 60000 1700000000000000 1]");
  EXPECT_EQ(talk("RL.MTAKE 2 a 5/60s 1 b 1/60s 1"), "[0 1 0 60000 60000 1700000000000000 1]");
  EXPECT_EQ(talk("RL.CHECK a 5/60s 0"), "[1 5 4 0 60000 1700000000000000]") << "a was not charged";
}

TEST(RespMtake, Charges_each_by_option) {
  RespTalk talk{{.charge = Charge::kEach}};
  talk("RL.MTAKE 2 a 5/60s 1 b 1/60s 1");
  talk("RL.MTAKE 2 a 5/60s 1 b 1/60s 1");
  EXPECT_EQ(talk("RL.CHECK a 5/60s 0"), "[1 5 3 0 60000 1700000000000000]");
}

TEST(RespMtake, Refuses_a_count_that_is_not_right) {
  RespTalk talk;
  for (const char* line : {"RL.MTAKE 1 a 5/s 1 b 1/s 1", "RL.MTAKE 0 a 5/s 1", "RL.MTAKE x a 5/s 1",
                           "RL.MTAKE 2 a 5/s 1 b 1/s"})
    EXPECT_TRUE(talk(line).starts_with("-ERR count")) << line;
  EXPECT_TRUE(talk("RL.MTAKE 2 a 5/s 1 a 6/s 1").starts_with("-ERR")) << "two limits on one key";
}

TEST(RespGiveBack, Undoes_a_take) {
  RespTalk talk;
  talk("RL.TAKE k 1/60s");
  EXPECT_EQ(talk("RL.GIVEBACK k 1/60s 1 1700000000000000"), "OK");
  EXPECT_EQ(talk("RL.TAKE k 1/60s"), "[1 1 0 0 60000 1700000000000000]");
}

TEST(RespReset, Forgets_a_key) {
  RespTalk talk;
  talk("RL.TAKE k 1/60s");
  EXPECT_EQ(talk("RL.RESET k"), "OK");
  EXPECT_EQ(talk.store.counters().keys, 0U);
}

TEST(RespConnection, Answers_what_clients_say_first) {
  RespTalk talk;
  EXPECT_EQ(talk("PING"), "PONG");
  EXPECT_EQ(talk("ping x"), "x");
  EXPECT_EQ(talk("ECHO x"), "x");
  EXPECT_EQ(talk("SELECT 0"), "OK");
  EXPECT_EQ(talk("SELECT 1"), "-ERR DB index is out of range");
  EXPECT_EQ(talk("CLIENT ID"), "1");
  EXPECT_EQ(talk("CLIENT SETNAME me"), "OK");
  EXPECT_EQ(talk("CLIENT GETNAME"), "me");
  EXPECT_EQ(talk("CLIENT SETINFO LIB-NAME redis-py"), "OK");
  EXPECT_EQ(talk("CLIENT INFO"),
            "id=1 addr=192.0.2.1:5 name=me db=0 multi=-1 resp=2 lib-name=redis-py lib-ver=\n");
  EXPECT_EQ(talk("HELLO 2"),
            "[server tidegate version 1.2.3 proto 2 id 1 mode standalone role "
            "master modules []]");
  EXPECT_EQ(talk("CONFIG GET save"), "[]");
  EXPECT_EQ(talk("HELLO 9"), "-NOPROTO unsupported protocol version");
  EXPECT_EQ(talk("FLUSHALL now"),
            "-ERR unknown command \"FLUSHALL\", with args beginning with: \"now\"");
}

TEST(RespConnection, Is_not_let_in_by_a_greeting_that_is_refused) {
  RespTalk talk{{.password = "secret"}};
  EXPECT_EQ(talk("HELLO 3 AUTH default secret NAME x"),
            "-ERR Syntax error in HELLO option \"NAME\"");
  EXPECT_EQ(talk("PING"), "-NOAUTH Authentication required.");
}

TEST(RespConnection, Wants_its_password_first) {
  RespTalk talk{{.password = "secret"}};
  EXPECT_EQ(talk("PING"), "-NOAUTH Authentication required.");
  EXPECT_EQ(talk("RL.TAKE k 1/s"), "-NOAUTH Authentication required.");
  EXPECT_TRUE(talk("HELLO 3").starts_with("-NOAUTH"));
  const std::string wrong = "-WRONGPASS invalid username-password pair or user is disabled.";
  for (const char* line : {"AUTH secre", "AUTH secrets", "AUTH other secret", "AUTH default x",
                           "HELLO 3 AUTH default x"})
    EXPECT_EQ(talk(line), wrong) << line;
  EXPECT_EQ(talk("PING"), "-NOAUTH Authentication required.");
  EXPECT_EQ(talk("AUTH secret"), "OK");
  EXPECT_EQ(talk("PING"), "PONG");
  EXPECT_EQ(talk("RESET"), "RESET");
  EXPECT_EQ(talk("PING"), "-NOAUTH Authentication required.");
  EXPECT_TRUE(talk("HELLO 3 AUTH default secret SETNAME me").starts_with("[server tidegate"));
  EXPECT_EQ(talk("CLIENT GETNAME"), "me");
}

TEST(RespConnection, Says_that_no_password_is_set) {
  RespTalk talk;
  EXPECT_TRUE(talk("AUTH x").starts_with("-ERR AUTH <password> called without any password"));
}

TEST(RespConnection, Ends_after_quit) {
  RespTalk talk;
  EXPECT_EQ(talk.send(test::request("QUIT") + test::request("PING")), "+OK\r\n");
  EXPECT_TRUE(talk.conversation->finished());
}

TEST(RespConnection, Ends_after_what_is_not_the_protocol) {
  RespTalk talk;
  EXPECT_EQ(talk.send("*1\r\n+PING\r\n"), "-ERR Protocol error: expected '$', got \"+\"\r\n");
  EXPECT_TRUE(talk.conversation->finished());
  EXPECT_FALSE(talk.conversation->want_read());
}

TEST(RespTransaction, Queues_and_answers_in_order) {
  RespTalk talk;
  EXPECT_EQ(talk("MULTI"), "OK");
  EXPECT_EQ(talk("RL.TAKE k 1/60s"), "QUEUED");
  EXPECT_EQ(talk("CL.THROTTLE c 0 1 1"), "QUEUED");
  EXPECT_EQ(talk("RL.TAKE k 1/6x"), "QUEUED");
  EXPECT_EQ(talk.store.counters().keys, 0U);
  EXPECT_TRUE(
      talk("EXEC").starts_with("[[1 1 0 0 60000 1700000000000000] [0 1 0 -1 1] -ERR limit"));
  EXPECT_EQ(talk("EXEC"), "-ERR EXEC without MULTI");
}

TEST(RespTransaction, Is_dropped_by_discard_and_by_a_mistake) {
  RespTalk talk;
  talk("MULTI");
  talk("RL.TAKE k 1/60s");
  EXPECT_EQ(talk("MULTI"), "-ERR MULTI calls can not be nested");
  EXPECT_EQ(talk("DISCARD"), "OK");
  EXPECT_EQ(talk("DISCARD"), "-ERR DISCARD without MULTI");
  talk("MULTI");
  talk("RL.TAKE k");
  EXPECT_EQ(talk("EXEC"), "-EXECABORT Transaction discarded because of previous errors.");
  EXPECT_EQ(talk.store.counters().keys, 0U);
}

TEST(RespTransaction, Queues_so_many_commands_and_no_more) {
  RespTalk talk;
  talk("MULTI");
  for (int i = 0; i < 4096; ++i) ASSERT_EQ(talk("PING"), "QUEUED");
  EXPECT_TRUE(talk("PING").starts_with("-ERR too much is queued"));
  EXPECT_TRUE(talk("EXEC").starts_with("-EXECABORT"));
}

TEST(RespTransaction, Queues_so_many_bytes_and_no_more) {
  RespTalk talk;
  const std::string echo = "ECHO " + std::string(100'000, 'a');
  talk("MULTI");
  for (int i = 0; i < 10; ++i) ASSERT_EQ(talk(echo), "QUEUED");
  EXPECT_TRUE(talk(echo).starts_with("-ERR too much is queued"));
  EXPECT_TRUE(talk("EXEC").starts_with("-EXECABORT"));
}

TEST(RespTransaction, Bounds_what_one_exec_answers) {
  RespTalk talk{{.max_output = 10'000}};
  talk("MULTI");
  for (int i = 0; i < 4096; ++i) ASSERT_EQ(talk("COMMAND"), "QUEUED");
  const std::string answer = talk("EXEC");
  EXPECT_LT(answer.size(), 400'000U);
  EXPECT_TRUE(answer.ends_with("-ERR not carried out: the answers of this EXEC are too long]"));
}

TEST(RespServer, Tells_its_commands) {
  RespTalk talk;
  const int count = std::stoi(talk("COMMAND COUNT"));
  EXPECT_GT(count, 15);
  EXPECT_EQ(talk("COMMAND INFO rl.mtake nothing"),
            "[[rl.mtake -5 [write fast] 2 -1 3 [@limit] [] [] []] null]");
  EXPECT_TRUE(talk("COMMAND DOCS cl.throttle").starts_with("[cl.throttle [summary Takes from"));
  EXPECT_NE(talk("COMMAND").find("[ping -1 [fast]"), std::string::npos);
}

TEST(RespServer, Tells_about_itself) {
  RespTalk talk;
  talk("RL.TAKE k 1/60s");
  talk("RL.TAKE k 1/60s");
  talk.clock.advance(75s);
  const std::string info = talk("INFO");
  for (const char* line :
       {"tidegate_version:1.2.3", "uptime_in_seconds:75", "connected_clients:1", "store_keys:1",
        "takes_allowed:1", "takes_denied:1", "total_commands_processed:3"})
    EXPECT_NE(info.find(std::string{line} + "\r\n"), std::string::npos) << line << "\n" << info;
  EXPECT_EQ(talk("INFO clients"), "# Clients\r\nconnected_clients:1\r\n");
}

TEST(RespConversation, Calls_for_each_denial) {
  std::vector<std::string> denied;
  RespTalk talk{
      {.on_decision = [&](std::string_view key, const Limit& limit, const Decision& made) {
        if (!made.allowed) denied.push_back(std::string{key} + " " + limit.to_string());
      }}};
  talk("RL.TAKE a 1/min");
  talk("RL.TAKE a 1/min");
  talk("RL.CHECK a 1/min");
  talk("RL.MTAKE 2 a 1/min 1 b 1/min 1");
  EXPECT_EQ(denied, (std::vector<std::string>{"a 1/min", "a 1/min"}));
}

TEST(RespConversation, Answers_alike_however_a_pipeline_is_split) {
  test::for_each_trace(400, [](test::Random& random) {
    const std::string bytes = random_pipeline(random, 20);
    const std::string whole = RespTalk{}.send(bytes);
    RespTalk split;
    std::string answers;
    const std::int64_t longest = random.pick({1, 3, 50});
    for (std::size_t at = 0; at < bytes.size();) {
      const auto size = static_cast<std::size_t>(random.between(1, longest));
      answers += split.send(bytes.substr(at, size));
      at += size;
    }
    EXPECT_EQ(answers, whole);
  });
}

// Over a store that answers late and out of order: the same replies in the same order. (No key is
// used twice: what such a store decides first is another matter.)
TEST(RespConversation, Answers_in_order_when_the_store_does_not) {
  test::for_each_trace(200, [](test::Random& random) {
    std::string bytes;
    for (int i = 0; i < 30; ++i) {
      const std::string key = "k" + std::to_string(i);
      const std::string lines[] = {"RL.TAKE " + key + " 5/min 2",
                                   "CL.THROTTLE " + key + " 4 5 60",
                                   "PING " + key,
                                   "RL.RESET " + key,
                                   "RL.CHECK " + key + " 3/s",
                                   "RL.MTAKE 2 other 5/s 0 " + key + " 3/s 2",
                                   "MULTI",
                                   "EXEC",
                                   "RL.GIVEBACK " + key + " 5/s 1",
                                   "RL.TAKE " + key + " 5"};
      bytes += test::request(random.pick_from(lines));
    }
    RespTalk direct;
    const std::string expected = direct.send(bytes);
    ManualClock clock;
    MemoryStore memory{{}, clock};
    test::DelayedStore late{memory, random.bits()};
    test::RespFrontEnd resp{late, clock, {}};
    const auto conversation = resp.loop.connect("peer");
    int changes = 0;
    conversation->on_change([&] { ++changes; });
    conversation->feed(bytes);
    EXPECT_EQ(changes, 0);
    std::string answers;
    do {
      const std::string output{conversation->output()};
      conversation->sent(output.size());
      answers += output;
    } while (late.run_one() || !conversation->output().empty());
    EXPECT_EQ(answers, expected);
  });
}

TEST(RespConversation, Tells_of_no_change_that_feed_makes) {
  RespTalk talk;
  int changes = 0;
  talk.conversation->on_change([&] { ++changes; });
  for (const char* line :
       {"RL.RESET k", "RL.MTAKE 1 k 5/s 1", "RL.GIVEBACK k 5/s 1", "RL.TAKE k 5/s"})
    talk(line);
  EXPECT_EQ(changes, 0);
}

TEST(RespConversation, May_go_before_its_answers_come) {
  ManualClock clock;
  MemoryStore memory{{}, clock};
  test::DelayedStore late{memory, 1};
  test::RespFrontEnd resp{late, clock, {}};
  auto conversation = resp.loop.connect("peer");
  conversation->feed(test::request("RL.TAKE k 1/s") + test::request("RL.RESET k"));
  conversation.reset();
  EXPECT_GT(late.run_all(), 0U);
  EXPECT_EQ(resp.service.counts().allowed, 1U);
  EXPECT_EQ(resp.service.counts().connections, 0U);
}

TEST(RespConversation, Answers_what_was_read_before_it_drains) {
  ManualClock clock;
  MemoryStore memory{{}, clock};
  test::DelayedStore late{memory, 1};
  test::RespFrontEnd resp{late, clock, {.max_outstanding = 2}};
  const auto conversation = resp.loop.connect("peer");
  conversation->feed(test::request("PING"));
  EXPECT_TRUE(conversation->want_read());
  conversation->feed(test::request("RL.TAKE k 1/s") + test::request("RL.TAKE k 1/s"));
  EXPECT_FALSE(conversation->want_read()) << "as many as may be are outstanding";
  conversation->drain();
  EXPECT_FALSE(conversation->finished());
  late.run_all();
  EXPECT_TRUE(conversation->finished());
  EXPECT_EQ(test::replies_in(conversation->output()).size(), 3U);
}

TEST(RespConversation, Bounds_what_it_keeps_of_a_request) {
  RespTalk talk;
  EXPECT_EQ(talk.send("*2\r\n$4\r\nECHO\r\n$2000000000\r\n"),
            "-ERR Protocol error: invalid bulk length\r\n");
  RespTalk lines;
  EXPECT_EQ(lines.send(std::string(70'000, 'x')),
            "-ERR Protocol error: too big inline request\r\n");
  RespTalk arrays;
  EXPECT_EQ(arrays.send("*1000000\r\n"), "-ERR Protocol error: invalid multibulk length\r\n");
}

// Over one store, as making one takes longer than all that is done with it here.
TEST(RespConversation, Survives_mutated_input) {
  RespTalk talk;
  test::for_each_trace(100'000, [&](test::Random& random) {
    const std::string bytes = mutated(random, random_pipeline(random, 4));
    talk.connect();
    for (const std::string& reply : test::replies_in(talk.send(bytes)))
      EXPECT_FALSE(reply.starts_with("BROKEN")) << reply;
  });
}

}  // namespace
}  // namespace tidegate
