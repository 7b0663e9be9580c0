#include <gtest/gtest.h>

#include <regex>

#include "tests/replay/log_lines.h"
#include "tests/support/random.h"
#include "tidegate/replay/logs/time_text.h"

namespace tidegate::replay {
namespace {

using test_logs::form_for;
using test_logs::read_line;

// 10/Oct/2000:13:55:36 -0700
constexpr std::string_view kAt = "971211336000000";

std::string combined(std::string_view line, const std::vector<std::string>& wanted) {
  const std::string read = read_line("combined", line, wanted);
  return read.starts_with(kAt) ? read.substr(kAt.size()) : read;
}

const std::vector<std::string> kAll = {"client", "user",    "host",     "method",
                                       "path",   "query",   "protocol", "status",
                                       "bytes",  "referer", "agent",    "forwarded"};

TEST(CombinedLog, Gives_every_field) {
  EXPECT_EQ(
      combined(R"(203.0.113.9 - ada [10/Oct/2000:13:55:36 -0700] "GET /a/b?c=d HTTP/1.1" 200 )"
               R"(2326 "https://example.test/" "Mozilla/5.0 X11" "192.0.2.7, 10.0.0.1")",
               kAll),
      "|203.0.113.9|ada||GET|/a/b|c=d|HTTP/1.1|200|2326|https://example.test/"
      "|Mozilla/5.0 X11|192.0.2.7");
}

TEST(CombinedLog, Reads_the_common_form) {
  EXPECT_EQ(
      combined(R"(203.0.113.9 - - [10/Oct/2000:13:55:36 -0700] "HEAD / HTTP/1.0" 304 -)", kAll),
      "|203.0.113.9|||HEAD|/||HTTP/1.0|304||||");
}

struct Heads {
  std::string_view head;
  std::string_view client;
  std::string_view user;
  std::string_view host;
};

TEST(CombinedLog, Tells_who_asked) {
  constexpr Heads kHeads[] = {
      {"203.0.113.9 - -", "203.0.113.9", "", ""},
      {"2001:db8::7 - -", "2001:db8::7", "", ""},
      {"[2001:db8::7]:443 - -", "2001:db8::7", "", ""},
      {"203.0.113.9:5123 - -", "203.0.113.9", "", ""},
      {"gate.example.test - -", "gate.example.test", "", ""},
      {"unix: - -", "unix:", "", ""},
      {"- - -", "-", "", ""},
      {"203.0.113.9 ident user", "203.0.113.9", "user", ""},
      {"203.0.113.9 - Ada King of Lovelace", "203.0.113.9", "Ada King of Lovelace", ""},
      {"203.0.113.9 - a [b] c", "203.0.113.9", "a [b] c", ""},
      {"example.test:80 203.0.113.9 - -", "203.0.113.9", "", "example.test"},
      {"cafe.de:80 203.0.113.9 - -", "203.0.113.9", "", "cafe.de"},
      {"198.51.100.1:80 203.0.113.9 - ada", "203.0.113.9", "ada", "198.51.100.1"},
      {"www.example.test gate.example.test - -", "gate.example.test", "", "www.example.test"},
      {"10.0.0.2, 10.0.0.1, 203.0.113.9 - -", "203.0.113.9", "", ""},
      {"10.0.0.2, 203.0.113.9:80 - ada", "203.0.113.9", "ada", ""},
      {"example.test 10.0.0.2, 203.0.113.9 - -", "203.0.113.9", "", "example.test"},
  };
  for (const Heads& heads : kHeads) {
    const std::string line =
        std::string{heads.head} + R"( [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 5 "-" "-")";
    EXPECT_EQ(combined(line, {"client", "user", "host"}), "|" + std::string{heads.client} + "|" +
                                                              std::string{heads.user} + "|" +
                                                              std::string{heads.host})
        << line;
  }
}

TEST(CombinedLog, Gives_the_first_of_several_clients_when_asked) {
  EXPECT_EQ(
      combined(R"(192.0.2.7, 203.0.113.9 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 5)",
               {"first_client", "client"}),
      "|192.0.2.7|203.0.113.9");
}

struct Requests {
  std::string_view tail;
  std::string_view read;  // method|path|status|bytes|agent
};

TEST(CombinedLog, Counts_whatever_was_sent_as_a_request) {
  const Requests kRequests[] = {
      {R"("\x16\x03\x01\x00\xEE\x01" 400 157 "-" "-")", "|||400|157|"},
      {R"("" 400 0 "-" "-")", "|||400|0|"},
      {R"("HELP" 400 157 "-" "-")", "|||400|157|"},
      {R"("-" 408 - "-" "-")", "|||408||"},
      {R"("GET /\x22quoted\x22 HTTP/1.1" 404 9 "-" "a")", R"(|GET|/\x22quoted\x22|404|9|a)"},
      {R"("GET /\"quoted\" HTTP/1.1" 404 9 "-" "a \"b\" c")",
       R"(|GET|/\"quoted\"|404|9|a \"b\" c)"},
      {R"("GET /a "b" c HTTP/1.1" 200 5 "-" "Mozi"lla "x"y")",
       R"(|GET|/a "b" c|200|5|Mozi"lla "x"y)"},
      {R"("GET /two words HTTP/1.1" 200 5 "-" "-")", "|GET|/two words|200|5|"},
      {R"("GET http://example.test/a?b HTTP/1.1" 200 5)", "|GET|/a|200|5|"},
      {R"("GET /a HTTP/2.0" 200 5 "-" "cut o)", "|GET|/a|200|5|cut o"},
      {R"("GET /a HTTP/1.1" 200)", "|GET|/a|200||"},
      {R"("GET /a HTTP/1.1)", "|GET|/a|||"},
      {R"("GET /a HTTP/1.1 200 5 "-" "-")", "|GET|/a HTTP/1.1 200 5 |||"},
      {R"(")", "|||||"},
  };
  for (const Requests& request : kRequests) {
    const std::string line =
        "203.0.113.9 - - [10/Oct/2000:13:55:36 -0700] " + std::string{request.tail};
    const std::string read =
        combined(line, {"client", "method", "path", "status", "bytes", "agent"});
    if (request.tail.find("1.1 200 5 \"-\"") == std::string_view::npos) {
      EXPECT_EQ(read, "|203.0.113.9" + std::string{request.read}) << line;
    } else {
      EXPECT_TRUE(read.starts_with("|203.0.113.9|GET|/a")) << "the parts cannot be told: " << read;
    }
  }
}

TEST(CombinedLog, Reads_lines_that_are_in_quotes_as_a_whole) {
  const std::string usual = "|203.0.113.9|||GET|/a||HTTP/1.1|200|5||Mozilla/5.0||";
  const std::vector<std::string> wanted{"client", "user",      "host",   "method", "path",
                                        "query",  "protocol",  "status", "bytes",  "referer",
                                        "agent",  "forwarded", "host"};
  EXPECT_EQ(combined(R"("203.0.113.9 - - [10/Oct/2000:13:55:36 -0700] ""GET /a HTTP/1.1"" 200 5 )"
                     R"(""-"" ""Mozilla/5.0""")",
                     wanted),
            usual);
  EXPECT_EQ(combined(R"("203.0.113.9 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 )"
                     R"("-" "Mozilla/5.0"")",
                     wanted),
            usual);
}

TEST(CombinedLog, Refuses_what_is_no_request_and_says_why) {
  const std::pair<std::string_view, std::string_view> kBad[] = {
      {"", "an empty line"},
      {"hello", "no time in brackets"},
      {R"(203.0.113.9 [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 5)", "two more words"},
      {R"(203.0.113.9 - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 5)", "two more words"},
      {R"(203.0.113.9 - - [10/Okt/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 5)", "no time"},
      {R"(203.0.113.9 - - [31/Feb/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 5)", "no time"},
      {R"(203.0.113.9 - - [10/Oct/2000:13:55:36 -0700] GET / HTTP/1.1 200 5)", "in quotes"},
      {R"(203.0.113.9 - - [10/Oct/2000:13:55:36 -0700])", "in quotes"},
      {R"(203.0.113.9 - - [10/Oct/2000:13:55:36)", "no time in brackets"},
  };
  for (const auto& [line, reason] : kBad) {
    const std::string read = combined(line, {"client"});
    EXPECT_TRUE(read.starts_with("bad: ") && read.find(reason) != std::string::npos) << line << "\n"
                                                                                     << read;
  }
}

// Lines as servers write them, then with a few bytes changed.
std::string mutated(test::Random& random) {
  std::string line = "203.0.113." + std::to_string(random.between(1, 254)) +
                     (random.chance(80) ? " - - [" : " - user name [") + "10/Oct/2000:13:55:3" +
                     std::to_string(random.between(0, 9)) +
                     R"( -0700] "GET /a"b?c HTTP/1.1" 200 5 "-" "Mozilla \"x\"")";
  constexpr std::string_view kBytes = " -[]\",:/.0a\\";
  for (std::int64_t changes = random.log_between(0, 8); changes > 0; --changes) {
    const auto at =
        static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(line.size()) - 1));
    const char byte = kBytes[static_cast<std::size_t>(random.between(0, kBytes.size() - 1))];
    if (random.chance(50)) {
      line[at] = byte;
    } else {
      line.insert(at, 1, byte);
    }
  }
  return line;
}

// The usual head is taken apart on a shorter way than others; this is the long way round.
std::string read_usual_by_regex(const std::string& line) {
  static const std::regex usual{
      R"(^([^ "]*[^ ",]) - - \[(\d\d/[^\]]{8}:[^\]]{8} [^\]]{5})\] ".*$)"};
  std::smatch parts;
  if (!std::regex_match(line, parts, usual)) return "";
  const auto at = read_time(parts[2].str(), kEndOfTime);
  if (!at) return "bad";
  return std::to_string(at->time_since_epoch().count()) + "|" +
         std::string{shaped(Shape::kAddress, parts[1].str())};
}

TEST(CombinedLog, Reads_the_usual_head_as_an_expression_does) {
  test::for_each_trace(20'000, [](test::Random& random) {
    const std::string line = mutated(random);
    const std::string expected = read_usual_by_regex(line);
    if (expected.empty()) return;
    const std::string read = read_line("combined", line, {"client"});
    EXPECT_EQ(read.starts_with("bad") ? "bad" : read, expected) << line;
  });
}

// A host before it takes a line off the short way, and must change nothing else; nor may it matter
// which other fields are wanted.
TEST(CombinedLog, Reads_the_same_on_the_short_way_and_the_long) {
  const auto brief = form_for("combined", {"client", "status"});
  const auto whole = form_for("combined", {"client", "status", "agent", "forwarded"});
  test::for_each_trace(20'000, [&](test::Random& random) {
    const std::string line = mutated(random);
    const std::string read = read_line(*brief, line, 2);
    const std::string more = read_line(*whole, line, 4);
    EXPECT_TRUE(more.starts_with(read)) << line << "\n" << read << "\n" << more;
    if (read.starts_with("bad") || !line.starts_with("203.0.113.") ||
        line.find(" - - [") != line.find(' '))
      return;
    EXPECT_EQ(read_line(*brief, "example.test " + line, 2), read) << line;
  });
}

}  // namespace
}  // namespace tidegate::replay
