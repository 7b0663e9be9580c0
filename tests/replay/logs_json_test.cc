#include <gtest/gtest.h>

#include <map>

#include "tests/replay/log_lines.h"
#include "tests/support/random.h"
#include "tidegate/base/json_string.h"
#include "tidegate/replay/logs/json_paths.h"

namespace tidegate::replay {
namespace {

using test_logs::form_for;
using test_logs::read_line;

const std::vector<std::string> kAll = {"client",   "host",   "method", "path",  "query",
                                       "protocol", "status", "bytes",  "agent", "user"};

TEST(JsonLog, Reads_what_traefik_writes) {
  EXPECT_EQ(
      read_line(
          "json",
          R"({"ClientAddr":"203.0.113.9:39496","ClientHost":"203.0.113.9","ClientUsername":"-",)"
          R"("DownstreamContentSize":357,"DownstreamStatus":200,"RequestHost":"a.example.test",)"
          R"("RequestMethod":"GET","RequestPath":"/a?b=c","RequestProtocol":"HTTP/1.1",)"
          R"("ServiceURL":{"Scheme":"http","User":null},"StartUTC":"2021-12-08T14:02:43.587782192Z",)"
          R"("request_User-Agent":"curl/8.5.0","time":"2021-12-08T14:02:44Z"})",
          kAll),
      "1638972163587782|203.0.113.9|a.example.test|GET|/a|b=c|HTTP/1.1|200|357|curl/8.5.0|");
}

TEST(JsonLog, Reads_what_caddy_writes) {
  const std::string line =
      R"({"level":"info","ts":1693840791.7564995,"logger":"http.log.access","request":)"
      R"({"remote_ip":"10.0.0.1","client_ip":"203.0.113.9","proto":"HTTP/2.0","method":"POST",)"
      R"("host":"a.example.test:8080","uri":"/a?b","headers":{"User-Agent":["curl/8.5.0","x"],)"
      R"("Authorization":[]}},"user_id":"ada","duration":0.000002701,"size":12,"status":201})";
  EXPECT_EQ(read_line("json", line, kAll),
            "1693840791756499|203.0.113.9|a.example.test|POST|/a|b|HTTP/2.0|201|12|curl/8.5.0|ada");
  EXPECT_EQ(
      read_line("json", line, {".request.remote_ip", ".duration", ".request.headers", ".level"}),
      "1693840791756499|10.0.0.1|0.000002701||info");
  EXPECT_EQ(
      read_line("json", R"({"level":"debug","ts":1742400753.05,"msg":"selected upstream"})", {}),
      "bad: no client in its JSON");
}

TEST(JsonLog, Reads_what_envoy_writes_behind_a_runtimes_prefix) {
  const std::string line =
      R"(2025-12-31T17:37:40.493035218+01:00 stdout F {":authority":"www.example.test",)"
      R"("bytes_sent":121258,"connection_termination_details":null,"downstream_remote_address":)"
      R"("[2001:db8::7]:59292","method":"GET","protocol":"HTTP/2","response_code":200,)"
      R"("start_time":"2025-12-31T16:37:40.479Z","user-agent":"a","x-envoy-origin-path":"/b",)"
      R"("x-forwarded-for":"192.0.2.7, 2001:db8::7"})";
  EXPECT_EQ(read_line("json", line, {"client", "first_client", "host", "path", "status", "bytes"}),
            "1767199060479000|2001:db8::7|192.0.2.7|www.example.test|/b|200|121258");
  EXPECT_EQ(read_line("json", "2025-12-31T17:37:40+01:00 stdout P {\"start_time\":\"2025-", {}),
            "bad: no JSON object");
}

TEST(JsonLog, Reads_the_text_that_envoy_writes_between) {
  const std::vector<std::string> wanted{"client", "method", "path",  "status",
                                        "bytes",  "host",   "agent", ".start_time"};
  EXPECT_EQ(
      read_line("json",
                R"(2025-12-31T17:37:40+01:00 stdout F [2016-04-15T20:17:00.310Z] "POST /a?b )"
                R"(HTTP/2" 204 - 154 7 226 100 "192.0.2.7, 10.0.35.28" "agent" "id" "c.test" )"
                R"("tcp://10.0.2.1:80")",
                wanted),
      "1460751420310000|10.0.35.28|POST|/a|204|7|c.test|agent|");
  EXPECT_EQ(read_line("json", "[2016-04-15 20:17:00.310][1][info] starting", wanted),
            "bad: no request in quotes after the time");
}

TEST(JsonLog, Reads_what_nginx_was_told_to_write) {
  EXPECT_EQ(read_line("json",
                      R"({"time_iso8601":"2000-10-10T13:55:36-07:00","remote_addr":"203.0.113.9",)"
                      R"("request":"GET /a?b HTTP/1.1","status":"200","body_bytes_sent":"5"})",
                      {"client", "method", "path", "query", "status", "bytes"}),
            "971211336000000|203.0.113.9|GET|/a|b|200|5");
  EXPECT_EQ(read_line("json", R"({"msec":971211336.123,"remote_addr":"203.0.113.9"})", {"client"}),
            "971211336123000|203.0.113.9");
}

TEST(JsonLog, Reads_any_other_that_it_is_told_of) {
  constexpr std::string_view kFields = R"(time=.at.ms,client=.from|.peer,cost=.n,tier=."a.b")";
  const std::vector<std::string> wanted{"client", "cost", "tier", ".at.zone"};
  EXPECT_EQ(
      read_line("json", R"({"at":{"ms":971211336123,"zone":"Z"},"peer":"[::1]:8","n":3,"a.b":"x"})",
                wanted, kFields),
      "971211336123000|::1|3|x|Z");
  EXPECT_EQ(
      read_line("json", R"({"at":{"ms":971211336123},"from":"a","peer":"b"})", wanted, kFields),
      "971211336123000|a|||");
  EXPECT_EQ(read_line("json", R"({"ts":971211336,"who":"ada"})", {"who"}, "time=.ts,who=.who"),
            "971211336000000|ada")
      << "without a client among the fields a line needs none";
}

TEST(JsonLog, Takes_strings_out_of_their_escapes) {
  const auto user = [](const std::string& text) {
    return read_line("json", R"({"ts":1,"client":"c","user":")" + text + R"("})", {"user"});
  };
  EXPECT_EQ(user(R"(a\"b\\c\/d\tz)"), "1000000|a\"b\\c/d\tz");
  EXPECT_EQ(user(R"(\u0026\u00e9\u20ac\ud83d\ude00)"), "1000000|&\u00e9\u20ac\U0001f600");
  EXPECT_EQ(user(R"(\ud83d!\ude00\u12)"), "1000000|\ufffd!\ufffd\\u12");
  EXPECT_EQ(user("\xff\xfe"), "1000000|\xff\xfe") << "bytes that are no UTF-8 stay";
  EXPECT_EQ(user(R"(\\)"), "1000000|\\");
}

TEST(JsonLog, Refuses_what_is_no_request_and_says_why) {
  const std::pair<std::string_view, std::string_view> kBad[] = {
      {"", "an empty line"},
      {"DEBUG: plugin: updated", "no JSON object"},
      {R"({"ts":1,"client":"c")", "JSON that is broken or cut off"},
      {R"({"ts":1,"client":"c)", "JSON that is broken or cut off"},
      {R"({"ts":1,"client":"c"}x)", "JSON that is broken or cut off"},
      {R"({"ts":1,"client":"c","x":[{"a":"]"})", "JSON that is broken or cut off"},
      {R"({"ts":1,"client":"c",})", "JSON that is broken or cut off"},
      {R"({"ts" 1,"client":"c"})", "JSON that is broken or cut off"},
      {R"({"ts":"soon","client":"c"})", "no time in its JSON"},
      {R"({"client":"c"})", "no time in its JSON"},
      {R"({"ts":1})", "no client in its JSON"},
      {R"({"ts":1,"client":null})", "no client in its JSON"},
      {"{}", "no client in its JSON"},
  };
  for (const auto& [line, reason] : kBad)
    EXPECT_EQ(read_line("json", line, {"client"}), "bad: " + std::string{reason}) << line;
}

TEST(JsonLog, Forgets_the_line_before) {
  const auto form = form_for("json", {"user"});
  EXPECT_EQ(read_line(*form, R"({"ts":1,"client":"c","user":"ada"})", 1), "1000000|ada");
  EXPECT_EQ(read_line(*form, R"({"ts":2,"client":"c"})", 1), "2000000|");
}

// An object as text, and what lies at each path in it.
class RandomObject {
 public:
  explicit RandomObject(test::Random& random) : random_{random} { object("", 0); }

  const std::string& text() const { return text_; }
  const std::map<std::string, std::string>& at() const { return at_; }

 private:
  void object(const std::string& path, int depth) {
    text_ += "{";
    const std::int64_t members = random_.between(0, 5);
    for (std::int64_t i = 0; i < members; ++i) {
      const std::string key{static_cast<char>('a' + i)};
      if (i > 0) text_ += ",";
      if (random_.chance(20)) text_ += " ";
      text_.append("\"").append(key).append("\":");
      value(path + "." + key, depth);
    }
    text_ += "}";
  }

  void value(const std::string& path, int depth) {
    switch (random_.between(0, depth > 3 ? 2 : 4)) {
      case 0:
        return string(path);
      case 1:
        at_[path] = random_.pick<std::string>({"0", "-1.5e3", "true", "12345678901234567890"});
        text_ += at_[path];
        return;
      case 2:
        text_ += "null";
        at_[path] = "";
        return;
      case 3:
        return array(path, depth);
      default:
        return object(path, depth + 1);
    }
  }

  void string(const std::string& path) {
    std::string& text = at_[path];
    for (std::int64_t left = random_.between(0, 8); left > 0; --left)
      text += random_.pick<std::string>({"a", "\"", "\\", "{", "}", "[", "]", ",", "\n", "\u20ac"});
    append_json_string(text_, text);
  }

  // Its first element counts.
  void array(const std::string& path, int depth) {
    text_ += "[";
    const std::int64_t size = random_.between(0, 3);
    if (size > 0) string(path);
    for (std::int64_t i = 1; i < size; ++i) {
      text_ += ",";
      value("." + path, depth + 1);  // at no path
    }
    text_ += "]";
  }

  test::Random& random_;
  std::string text_;
  std::map<std::string, std::string> at_;
};

TEST(JsonPaths, Finds_what_lies_at_every_path) {
  test::for_each_trace(3'000, [](test::Random& random) {
    const RandomObject object{random};
    std::vector<std::string> paths{".z", ".a.z"};
    std::vector<std::string> expected{"", ""};
    for (const auto& [path, value] : object.at()) {
      if (path.starts_with("..")) continue;
      paths.push_back(path);
      expected.push_back(value);
    }
    JsonPaths all{paths};
    std::vector<std::string_view> values(paths.size());
    ASSERT_TRUE(all.read(object.text(), values)) << object.text();
    for (std::size_t i = 0; i < paths.size(); ++i)
      EXPECT_EQ(values[i], expected[i]) << paths[i] << " in " << object.text();
  });
}

TEST(JsonPaths, Refuses_every_object_that_is_cut_off) {
  test::for_each_trace(300, [](test::Random& random) {
    const RandomObject object{random};
    JsonPaths none{{}};
    for (std::size_t size = 0; size < object.text().size(); ++size)
      EXPECT_FALSE(none.read(std::string_view{object.text()}.substr(0, size), {}))
          << object.text().substr(0, size);
  });
}

}  // namespace
}  // namespace tidegate::replay
