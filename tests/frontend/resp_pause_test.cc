// A client that takes no answers gets no more of them, and loses none.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/delayed_store.h"
#include "tests/support/random.h"
#include "tests/support/resp_talk.h"
#include "tidegate/frontend/resp/service.h"

namespace tidegate {
namespace {

constexpr std::size_t kMostOutput = 1000;

std::string echoes(int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i)
    bytes += test::request("ECHO " + std::string(100, 'a') + std::to_string(i));
  return bytes;
}

class RespPause : public testing::Test {
 protected:
  std::unique_ptr<Conversation> connect() { return resp_.loop.connect("peer"); }

  // Takes some bytes of what there is to send.
  static std::string take(Conversation& from, std::size_t most) {
    std::string output{from.output().substr(0, most)};
    from.sent(output.size());
    return output;
  }

  ManualClock clock_;
  MemoryStore memory_{{}, clock_};
  test::RespFrontEnd resp_{memory_, clock_, {.max_output = kMostOutput}};
};

TEST_F(RespPause, Bounds_the_output_of_one_batch) {
  const auto conversation = connect();
  conversation->feed(echoes(1000));
  EXPECT_LT(conversation->output().size(), kMostOutput + 200);
  EXPECT_FALSE(conversation->want_read());
  EXPECT_FALSE(conversation->finished());
}

TEST_F(RespPause, Answers_all_as_answers_leave) {
  const std::string expected = [] {
    frontend::RespOptions unbounded;
    unbounded.max_output = std::size_t{1} << 30;
    ManualClock clock;
    MemoryStore memory{{}, clock};
    test::RespFrontEnd resp{memory, clock, unbounded};
    const auto conversation = resp.loop.connect("peer");
    conversation->feed(echoes(300));
    return std::string{conversation->output()};
  }();
  test::for_each_trace(50, [&](test::Random& random) {
    const auto conversation = connect();
    const std::string bytes = echoes(300);
    std::string answers;
    for (std::size_t at = 0; at < bytes.size();) {
      if (conversation->want_read()) {
        const auto size = static_cast<std::size_t>(random.between(1, 20'000));
        conversation->feed(std::string{bytes.substr(at, size)});  // gone when this returns
        at += size;
      }
      EXPECT_LT(conversation->output().size(), kMostOutput + 200);
      answers += take(*conversation, static_cast<std::size_t>(random.between(1, 3000)));
    }
    conversation->drain();
    while (!conversation->output().empty()) answers += take(*conversation, 700);
    EXPECT_TRUE(conversation->finished());
    EXPECT_EQ(answers, expected);
  });
}

TEST_F(RespPause, Answers_what_waits_before_it_has_drained) {
  const auto conversation = connect();
  conversation->feed(echoes(100));
  conversation->drain();
  std::string answers;
  while (!conversation->finished()) {
    ASSERT_FALSE(conversation->output().empty());
    answers += take(*conversation, 500);
  }
  answers += conversation->output();
  EXPECT_EQ(test::replies_in(answers).size(), 100U);
}

TEST_F(RespPause, Ends_behind_a_quit_that_waited) {
  const auto conversation = connect();
  conversation->feed(echoes(50) + test::request("QUIT") + test::request("PING"));
  std::string answers;
  while (!conversation->output().empty()) answers += take(*conversation, 500);
  EXPECT_TRUE(answers.ends_with("\r\n+OK\r\n"));
  EXPECT_TRUE(conversation->finished());
}

TEST_F(RespPause, Goes_on_when_late_answers_come) {
  test::DelayedStore late{memory_, 1};
  test::RespFrontEnd resp{late, clock_, {.max_outstanding = 2}};
  const auto conversation = resp.loop.connect("peer");
  std::string bytes;
  for (int i = 0; i < 10; ++i) bytes += test::request("RL.TAKE k 5/h");
  conversation->feed(bytes);
  EXPECT_EQ(late.waiting(), 2U);
  late.run_all();
  EXPECT_EQ(test::replies_in(conversation->output()).size(), 10U);
}

TEST_F(RespPause, Cuts_off_who_speaks_http) {
  const auto conversation = connect();
  conversation->feed("POST / HTTP/1.1\r\nHost: localhost\r\n\r\nPING\r\n");
  EXPECT_TRUE(conversation->finished());
  EXPECT_EQ(conversation->output(), "-ERR this is no HTTP server\r\n");
}

}  // namespace
}  // namespace tidegate
