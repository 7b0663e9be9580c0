// An HTTP conversation for tests: a request's text in, the answers out, by status and body.
//
//   HttpTalk talk{"domain: api\n..."};
//   EXPECT_EQ(talk.get("/healthz"), "200 OK\n");
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/rules/loaded.h"
#include "tidegate/base/clock.h"
#include "tidegate/frontend/http/pages.h"
#include "tidegate/frontend/http/service.h"
#include "tidegate/frontend/rule_service.h"
#include "tidegate/store/memory/memory_store.h"

namespace tidegate::test {

// What a server shows, set by the test.
class StubPages final : public frontend::Pages {
 public:
  bool ready() const override { return is_ready; }
  std::string metrics() const override { return "up 1\n"; }
  std::string top(std::size_t most) const override { return std::to_string(most); }
  void reload(std::size_t, std::function<void(std::vector<Error>)> done) override {
    reloads.push_back(std::move(done));
  }

  bool is_ready = true;
  std::vector<std::function<void(std::vector<Error>)>> reloads;  // asked for and not done
};

// The front end of a store, and an event loop of it.
struct HttpFrontEnd {
  HttpFrontEnd(Store& store, const Clock& clock, frontend::HttpOptions options = {})
      : rules{store, clock, {}}, service{pages, std::move(options)} {}

  StubPages pages;
  frontend::RuleService rules;
  frontend::HttpService service;
  frontend::RuleLoop rule_loop{rules};
  frontend::HttpLoop loop{service, rule_loop, 0};
};

// One answer; its fields as they came.
struct HttpAnswer {
  int status = 0;
  std::string fields = {};
  std::string body = {};

  std::string shown() const { return std::to_string(status) + " " + body; }
};

// All answers in some bytes. Those to HEAD have no body, which `heads` says of all of them.
inline std::vector<HttpAnswer> answers_in(std::string_view bytes, bool heads = false) {
  std::vector<HttpAnswer> answers;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find("\r\n\r\n");
    if (!bytes.starts_with("HTTP/1.1 ") || end == std::string_view::npos) {
      answers.push_back({.body = "BROKEN " + std::string{bytes}});
      return answers;
    }
    HttpAnswer answer{.status = std::stoi(std::string{bytes.substr(9, 3)}),
                      .fields = std::string{bytes.substr(0, end + 2)}};
    bytes.remove_prefix(end + 4);
    const std::size_t length = answer.fields.find("Content-Length: ");
    if (length != std::string::npos && !heads) {
      answer.body = bytes.substr(0, std::stoul(answer.fields.substr(length + 16)));
      bytes.remove_prefix(answer.body.size());
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

class HttpTalk {
 public:
  explicit HttpTalk(std::string_view rules = {}, frontend::HttpOptions options = {})
      : front_end{store, clock, std::move(options)} {
    if (!rules.empty()) front_end.rules.use(load_text(rules).rules);
    connect();
  }

  void connect(std::string peer = "127.0.0.1:5") {
    conversation = front_end.loop.connect(std::move(peer));
  }

  // Everything that is answered to these bytes.
  std::string send(std::string_view bytes) {
    conversation->feed(std::string{bytes});  // gone after the call, as a socket's buffer is
    return take_output();
  }
  std::string take_output() {
    std::string output{conversation->output()};
    conversation->sent(output.size());
    return output;
  }

  HttpAnswer ask(std::string_view method, std::string_view path, std::string_view body = {},
                 std::string_view fields = {}) {
    const auto answers = answers_in(send(request(method, path, body, fields)), method == "HEAD");
    return answers.size() == 1 ? answers.front()
                               : HttpAnswer{.body = std::to_string(answers.size()) + " answers"};
  }
  std::string get(std::string_view path) { return ask("GET", path).shown(); }

  static std::string request(std::string_view method, std::string_view path,
                             std::string_view body = {}, std::string_view fields = {}) {
    std::string text{method};
    text.append(" ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\n").append(fields);
    if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    return text.append("\r\n").append(body);
  }

  ManualClock clock;
  MemoryStore store{{}, clock};
  HttpFrontEnd front_end;
  std::unique_ptr<Conversation> conversation;
};

}  // namespace tidegate::test
