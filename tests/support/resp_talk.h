// A RESP conversation for tests: a line of words in, the reply out as a person would write it.
//
//   RespTalk talk;
//   EXPECT_EQ(talk("CL.THROTTLE u 15 30 60"), "[0 16 15 -1 2]");
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/delayed_store.h"
#include "tidegate/base/clock.h"
#include "tidegate/frontend/resp/service.h"
#include "tidegate/frontend/rule_service.h"
#include "tidegate/store/memory/memory_store.h"
#include "tidegate/wire/resp_reply.h"

namespace tidegate::test {

// `OK`, `"bulk"`, `[1 2 "x"]`, `-ERR no`, `null`.
inline std::string shown(std::span<const resp::ReplyNode>& nodes) {
  using Type = resp::ReplyNode::Type;
  const resp::ReplyNode node = nodes.front();
  nodes = nodes.subspan(1);
  switch (node.type) {
    case Type::kError:
      return "-" + std::string{node.text};
    case Type::kInteger:
    case Type::kBoolean:
      return std::to_string(node.integer);
    case Type::kNull:
      return "null";
    case Type::kArray:
      break;
    default:
      return std::string{node.text};
  }
  std::string text = "[";
  for (std::size_t i = 0; i < node.elements; ++i) text += (i > 0 ? " " : "") + shown(nodes);
  return text + "]";
}

// Every reply in some bytes; `...` when the last one is cut off.
inline std::vector<std::string> replies_in(std::string_view bytes) {
  resp::ReplyReader reader;
  reader.feed(bytes);
  std::vector<std::string> replies;
  for (;;) {
    switch (reader.next()) {
      case resp::ReplyReader::Next::kReply: {
        std::span<const resp::ReplyNode> nodes = reader.reply();
        replies.push_back(shown(nodes));
        break;
      }
      case resp::ReplyReader::Next::kMore:
        return replies;
      case resp::ReplyReader::Next::kError:
        replies.push_back("BROKEN " + reader.error());
        return replies;
    }
  }
}

inline std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

inline std::string request(std::string_view line) {
  std::string bytes;
  resp::append_request(bytes, words_of(line));
  return bytes;
}

// The front end of a store, and an event loop of it.
struct RespFrontEnd {
  RespFrontEnd(Store& store, const Clock& clock, frontend::RespOptions options)
      : rules{store, clock, {.charge = options.charge}},
        service{store, clock, std::move(options)} {}

  frontend::RuleService rules;
  frontend::RespService service;
  frontend::RuleLoop rule_loop{rules};
  frontend::RespLoop loop{service, rule_loop};
};

class RespTalk {
 public:
  explicit RespTalk(frontend::RespOptions options = {.version = "1.2.3"})
      : front_end_{store, clock, std::move(options)} {}

  frontend::RuleService& rules() { return front_end_.rules; }

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

  // Another connection instead of this one.
  void connect() { conversation = front_end_.loop.connect("192.0.2.1:5"); }

  std::string operator()(std::string_view line) {
    const std::vector<std::string> replies = replies_in(send(request(line)));
    return replies.size() == 1 ? replies.front() : std::to_string(replies.size()) + " replies";
  }

  ManualClock clock;
  MemoryStore store{{}, clock};

 private:
  RespFrontEnd front_end_;

 public:
  std::unique_ptr<Conversation> conversation = front_end_.loop.connect("192.0.2.1:5");
};

}  // namespace tidegate::test
