#include <gtest/gtest.h>

#include "tests/replay/log_lines.h"

namespace tidegate::replay {
namespace {

using test_logs::form_for;
using test_logs::read_line;

TEST(AlbLog, Gives_its_fields) {
  const std::vector<std::string> wanted{"client", "host",  "method", "path",   "query", "protocol",
                                        "status", "bytes", "agent",  "target", "type"};
  EXPECT_EQ(
      read_line("alb",
                "h2 2023-04-26T12:22:55.463821Z app/my-balancer/490d68edf04676fe "
                "203.0.113.9:44740 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "
                "\"GET https://www.example.test:443/a?b HTTP/2.0\" \"curl/8.5.0 \\\"x\\\"\" - - "
                "arn:aws:group \"Root=1-58\" \"-\" \"-\" 0 2023-04-26T12:22:55.364000Z "
                "\"forward\" \"-\" \"-\" \"10.0.0.1:80\" \"200\" \"-\" \"-\"",
                wanted),
      "1682511775463821|203.0.113.9|www.example.test|GET|/a|b|HTTP/2.0|200|366"
      "|curl/8.5.0 \\\"x\\\"|10.0.0.1:80|h2");
  EXPECT_EQ(read_line("alb",
                      "https 2023-04-26T19:53:46Z app/b/c [2001:db8::7]:44740 - -1 -1 -1 404 - 204 "
                      "167 \"GET https://[2001:db8::1]:443/%%32%65/ HTTP/1.1\" \"-\"",
                      wanted),
            "1682538826000000|2001:db8::7|2001:db8::1|GET|/%%32%65/||HTTP/1.1|404|167|||https");
}

TEST(AlbLog, Refuses_other_lines) {
  EXPECT_EQ(read_line("alb", "hello world", {}), "bad: its first word is no type of listener");
  EXPECT_EQ(read_line("alb", "http 2023-04-26T12:22:55Z app/b/c 203.0.113.9:1", {}),
            "bad: fewer fields than a load balancer writes");
}

TEST(HaproxyLog, Gives_its_fields) {
  const std::vector<std::string> wanted{"client", "frontend", "backend", "method", "path",
                                        "query",  "protocol", "status",  "bytes"};
  EXPECT_EQ(read_line("haproxy",
                      "Feb 25 16:19:49 lb1 haproxy[7]: 203.0.113.9:53332 "
                      "[25/Feb/2019:16:19:48.143] http_in~ app/srv1 0/0/7/1457/1487 200 11394 - - "
                      "---- 2/1/0/0/0 0/0 {Mozilla \"x\" (y; z)|} {} \"GET /a?b HTTP/1.1\"",
                      wanted),
            "1551111588143000|203.0.113.9|http_in~|app/srv1|GET|/a|b|HTTP/1.1|200|11394");
  EXPECT_EQ(read_line("haproxy",
                      "<134>1 2019-02-25T16:19:49Z lb1 haproxy 7 - [x]: 2001:db8::7:53332 "
                      "[25/Feb/2019:16:19:48.143] http_in http_in/<NOSRV> -1/-1/-1/-1/+3 400 0 - - "
                      "PR-- 2/1/0/0/0 0/0 \"<BADREQ>\"",
                      {"status", "method", "request"}),
            "1551111588143000|400||<BADREQ>");
  EXPECT_EQ(read_line("haproxy",
                      "haproxy[7]: 203.0.113.9:53332 [25/Feb/2019:16:19:48.143] http_in app/srv1 "
                      "0/0/0/1/1 200 9 - - ---- 1/1/0/0/0 0/0 \"GET /cut/off/by/sysl",
                      {"path"}),
            "1551111588143000|/cut/off/by/sysl");
}

TEST(HaproxyLog, Reads_connections_too) {
  EXPECT_EQ(read_line("haproxy",
                      "haproxy[7]: 203.0.113.9:53332 [25/Feb/2019:16:19:48.143] tcp_in db/srv1 "
                      "0/0/5007 212 -- 0/0/0/0/3 0/0",
                      {"client", "status", "bytes"}),
            "1551111588143000|203.0.113.9||212");
}

TEST(HaproxyLog, Refuses_what_else_it_says) {
  for (const std::string_view line : {
           "Feb 25 16:19:38 lb1 haproxy[1]: Proxy http_in started.",
           "Feb 25 16:20:15 lb1 haproxy[7]: 203.0.113.9:56224 [25/Feb/2019:16:20:10.111] "
           "http_in/1: SSL handshake failure",
           "Feb 25 16:20:15 lb1 haproxy[7]: 203.0.113.9:56224 [25/Feb/2019:16:20:10.111] "
           "http_in/1: Connection closed during SSL handshake",
           "",
       })
    EXPECT_TRUE(read_line("haproxy", line, {}).starts_with("bad: ")) << line;
}

TEST(CsvLog, Takes_its_fields_from_the_header) {
  const std::vector<std::string> wanted{"client", "path", "Note"};
  EXPECT_EQ(read_line("csv", R"(2000-10-10 13:55:36,203.0.113.9:80,/a?b,"x, ""y""")", wanted, {},
                      "Time,IP,URL,Note"),
            R"(971186136000000|203.0.113.9|/a|x, "y")");
  EXPECT_EQ(read_line("csv", "971211336;203.0.113.9;/a;", wanted, {}, "ts;remote_addr;uri;Note"),
            "971211336000000|203.0.113.9|/a|");
  EXPECT_EQ(read_line("csv", "203.0.113.9\t971211336", {"client"}, {}, "client\ttime"),
            "971211336000000|203.0.113.9");
  EXPECT_EQ(read_line("csv", "971211336,ada", {"client"}, "time=when,client=who", "when,who"),
            "971211336000000|ada");
}

TEST(CsvLog, Refuses_lines_of_other_shapes) {
  const auto read = [](std::string_view line) {
    return read_line("csv", line, {"client"}, {}, "time,client");
  };
  EXPECT_EQ(read("971211336,a,b"), "bad: not as many values as the header has names");
  EXPECT_EQ(read("971211336"), "bad: not as many values as the header has names");
  EXPECT_EQ(read("971211336,\"a"), "bad: quotes that do not end");
  EXPECT_EQ(read("soon,a"), "bad: no time in the column of the time");
}

TEST(LogFormat, Reads_as_nginx_was_told_to_write) {
  constexpr std::string_view kFormat =
      R"($remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent )"
      R"("$http_referer" "$http_user_agent" rt=${request_time}s)";
  EXPECT_EQ(read_line(kFormat,
                      R"(203.0.113.9 - ada [10/Oct/2000:13:55:36 -0700] "GET /a?b HTTP/1.1" 200 5 )"
                      R"("-" "curl/8.5.0" rt=0.012s)",
                      {"client", "user", "method", "path", "query", "protocol", "status", "bytes",
                       "referer", "agent", "request_time"}),
            "971211336000000|203.0.113.9|ada|GET|/a|b|HTTP/1.1|200|5||curl/8.5.0|0.012");
  EXPECT_EQ(read_line("$msec|$http_x_forwarded_for", "971211336.500|192.0.2.7, 203.0.113.9",
                      {"client", "first_client"}),
            "971211336500000|203.0.113.9|192.0.2.7");
  EXPECT_EQ(read_line("$time_iso8601 $host", "2000-10-10T13:55:36-07:00 a.example.test", {"host"}),
            "971211336000000|a.example.test");
}

TEST(LogFormat, May_be_the_whole_directive) {
  EXPECT_EQ(
      read_line("log_format main '$remote_addr [$time_local] '\n    '\"$request\"';",
                "203.0.113.9 [10/Oct/2000:13:55:36 -0700] \"GET /a HTTP/1.1\"", {"client", "path"}),
      "971211336000000|203.0.113.9|/a");
}

TEST(LogFormat, Refuses_lines_that_are_not_so) {
  for (const std::string_view line : {"x [971211336]", "[971211336", "[971211336] y", "[soon]", ""})
    EXPECT_TRUE(read_line("[$msec]", line, {}).starts_with("bad: ")) << line;
}

std::string refusal(std::string_view form, std::vector<std::string> wanted,
                    std::string_view fields = {}, std::string_view header = {}) {
  const auto made = make_form(
      {.form = form, .fields = fields, .wanted = std::move(wanted), .newest = kEndOfTime}, header);
  return made ? "" : made.error().message();
}

TEST(Forms, Say_which_fields_they_have) {
  EXPECT_EQ(refusal("haproxy", {"color"}),
            "field \"color\": lines of the form haproxy have client, frontend, backend, request, "
            "method, path, uri, query, host, protocol, status, bytes, timers, time");
  EXPECT_NE(refusal("json", {"color"}).find("paths such as .request.uri"), std::string::npos);
  EXPECT_NE(refusal("csv", {"color"}, {}, "time,ip").find("names time, ip"), std::string::npos);
  EXPECT_NE(refusal("$msec $status", {"color"}).find("$msec, $status"), std::string::npos);
}

TEST(Forms, Refuse_what_makes_no_form) {
  EXPECT_NE(refusal("iis", {}), "");
  EXPECT_NE(refusal("$status", {}), "") << "no time";
  EXPECT_NE(refusal("$msec$status", {}), "") << "nothing between";
  EXPECT_NE(refusal("csv", {}, {}, "ip,status"), "") << "no time";
  EXPECT_NE(refusal("json", {}, "time"), "");
  EXPECT_NE(refusal("json", {}, "time=ts"), "") << "no path";
  EXPECT_NE(refusal("json", {}, "time=.ts|.a..b"), "") << "no path";
}

// Each field that a form names can be wanted, so a message lists nothing that is refused.
TEST(Forms, Have_the_fields_that_they_name) {
  for (const std::string_view name :
       {"combined", "json", "alb", "haproxy", "csv", "$remote_addr $msec \"$request\""}) {
    const std::string_view header = "time,client,status";
    EXPECT_EQ(refusal(name, form_for(name, {}, {}, header)->field_names(), {}, header), "") << name;
  }
}

TEST(Forms, Are_told_by_what_most_lines_are) {
  constexpr std::string_view kCombined =
      R"(203.0.113.9 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 5)";
  const auto told = [](std::vector<std::string_view> lines) { return detect(lines); };
  EXPECT_EQ(told({kCombined, "noise", ""}), "combined");
  EXPECT_EQ(told({"noise", R"({"ts":1,"client":"c"})", kCombined, R"({"ts":1,"client":"c"})"}),
            "json");
  EXPECT_EQ(
      told(
          {"http 2023-04-26T12:22:55Z app/b/c 203.0.113.9:1 - -1 -1 -1 404 - 2 1 \"- - -\" \"-\""}),
      "alb");
  EXPECT_EQ(
      told({"haproxy[7]: 203.0.113.9:5 [25/Feb/2019:16:19:48.143] in app/s 0/0/0/1/1 200 9 - - "
            "---- 1/1/0/0/0 0/0 \"GET / HTTP/1.1\""}),
      "haproxy");
  EXPECT_EQ(told({"time,client", "971211336,a"}), "csv");
  EXPECT_EQ(told({"noise", "more of it"}), "");
  EXPECT_EQ(told({}), "");
}

}  // namespace
}  // namespace tidegate::replay
