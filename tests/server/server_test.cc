// A whole server inside the test: real sockets, settings as a user gives them, its log.
#include "tidegate/server/server.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "tests/server/running.h"
#include "tests/support/certificates.h"

namespace tidegate::server {
namespace {

using test::Flags;
using test::Running;
using test::written;

TEST(Server, Takes_five_of_six) {
  const Running running;
  std::string requests;
  for (int i = 0; i < 6; ++i) requests += "CL.THROTTLE user 4 5 60\r\n";
  EXPECT_EQ(running.say(requests),
            "*5\r\n:0\r\n:5\r\n:4\r\n:-1\r\n:12\r\n*5\r\n:0\r\n:5\r\n:3\r\n:-1\r\n:24\r\n"
            "*5\r\n:0\r\n:5\r\n:2\r\n:-1\r\n:36\r\n*5\r\n:0\r\n:5\r\n:1\r\n:-1\r\n:48\r\n"
            "*5\r\n:0\r\n:5\r\n:0\r\n:-1\r\n:60\r\n*5\r\n:1\r\n:5\r\n:0\r\n:12\r\n:60\r\n");
}

TEST(Server, Keeps_one_counter_for_all_its_threads_and_addresses) {
  const std::string path = testing::TempDir() + "tidegate-resp-" + std::to_string(getpid());
  const Running running{{{"resp", "127.0.0.1:0,unix:" + path}}};
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(running.say("RL.TAKE k 5/h\r\n", static_cast<std::size_t>(i % 2)).substr(0, 8),
              "*6\r\n:1\r\n");
  EXPECT_EQ(running.say("RL.TAKE k 5/h\r\n").substr(0, 8), "*6\r\n:0\r\n");
}

TEST(Server, Asks_for_the_password_in_a_file) {
  const std::string path = written("password", "swordfish\r\nsecond line\n");
  const Running running{{{"resp-password-file", path}}};
  EXPECT_EQ(running.say("PING\r\n"), "-NOAUTH Authentication required.\r\n");
  EXPECT_EQ(running.say("AUTH swordfish\r\nPING\r\n"), "+OK\r\n+PONG\r\n");
  EXPECT_TRUE(running.logged("password=on"));
  EXPECT_FALSE(running.logged("swordfish"));
}

TEST(Server, Charges_each_by_option) {
  const Running running{{{"charge", "each"}}};
  running.say("RL.MTAKE 2 a 5/h 1 b 0/h 1\r\n");
  EXPECT_NE(running.say("RL.CHECK a 5/h 0\r\n").find("\r\n:5\r\n:4\r\n"), std::string::npos);
}

TEST(Server, Says_at_the_start_what_it_serves_and_at_the_end_what_it_did) {
  Running running{{{"max-memory", "64m"}}};
  running.say("PING\r\nRL.TAKE k 1/h\r\nRL.TAKE k 1/h\r\n");
  running.stop();
  EXPECT_TRUE(running.logged("info serving version=1.2.3 threads=2 charge=all_or_nothing"));
  EXPECT_TRUE(running.logged(
      "info counters in this process alone, until it ends max_memory=67108864 on_full=evict"));
  EXPECT_TRUE(running.logged("listening protocol=resp address=" +
                             running.server().addresses()[0].to_string()));
  EXPECT_TRUE(running.logged("info stopping"));
  EXPECT_TRUE(running.logged("info stopped connections=1 commands=3 allowed=1 denied=1"));
}

TEST(Server, Says_where_it_speaks_tls_and_asks_for_certificates) {
  const test::Certificates certificates;
  const auto own = certificates.make("server", "localhost", "127.0.0.1");
  Running running{{{"resp-tls-cert", own.cert},
                   {"resp-tls-key", own.key},
                   {"resp-tls-client-ca", certificates.ca()},
                   {"grpc", "127.0.0.1:0"},
                   {"grpc-tls-cert", own.cert},
                   {"grpc-tls-key", own.key},
                   {"http", "127.0.0.1:0"}}};
  running.stop();
  const auto line = [&](std::size_t address, const std::string& protocol) {
    return "listening protocol=" + protocol +
           " address=" + running.server().addresses()[address].to_string();
  };
  EXPECT_TRUE(running.logged(line(0, "resp") + " tls=on client_certificates=on password=off"));
  EXPECT_TRUE(running.logged(line(1, "http") + " tls=off client_certificates=off password=off"));
  EXPECT_TRUE(running.logged(line(2, "grpc") + " tls=on client_certificates=off password=off"));
}

TEST(Server, Logs_denials_under_their_limit) {
  Running running{{{"log-denials", "2/h"}}};
  std::string requests;
  for (int i = 0; i < 10; ++i) requests += "RL.TAKE k 1/h\r\n";
  running.say(requests);
  running.stop();
  EXPECT_TRUE(running.logged("info denied key=k limit=1/h retry_after_us=3600000000 left_out=0"));
  EXPECT_TRUE(running.logged("info denied left_out=7"));
}

TEST(Server, That_cannot_start_says_why) {
  const Running first;
  ManualClock clock;
  test::Stream stream;
  Log log{LogLevel::kInfo, LogFormat::kText, clock, stream.file()};
  const auto refusal = [&](const Flags& flags) {
    const auto started =
        Server::start(read_settings({.flags = flags}).value(), "1.2.3", clock, log);
    return started ? "started" : started.error().message();
  };
  const std::string taken = first.server().addresses()[0].to_string();
  EXPECT_EQ(refusal({{"resp", taken}}),
            "address " + taken + ": cannot listen: Address already in use");
  EXPECT_EQ(refusal({{"resp", "127.0.0.1:0"}, {"resp-password-file", "/nowhere"}}),
            "file /nowhere: No such file or directory");
  EXPECT_EQ(refusal({{"resp", "127.0.0.1:0"}, {"resp-password-file", written("empty", "\n")}}),
            "file " + written("empty", "\n") + ": expected a password in its first line");
  EXPECT_EQ(refusal({{"resp", "127.0.0.1:0"}, {"resp-tls-cert", "/c"}, {"resp-tls-key", "/k"}})
                .substr(0, 13),
            "TLS file /c: ");
}

}  // namespace
}  // namespace tidegate::server
