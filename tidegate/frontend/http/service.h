// What the HTTP connections of a server share: the pages, the options, the counts.
//
//   HttpService service{pages, {}};
//   HttpLoop loop{service, rules, 0};            // one for each event loop, and its RuleLoop
//   loop.connect("10.1.2.3:4567")                // a Conversation for each connection
//
// Thread safety: an HttpService may be used from any thread; an HttpLoop and its conversations
// belong to one event loop, and the loop outlives them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tidegate/base/conversation.h"
#include "tidegate/frontend/http/pages.h"
#include "tidegate/frontend/loop_count.h"
#include "tidegate/frontend/loop_sums.h"
#include "tidegate/frontend/rule_service.h"

namespace tidegate::frontend {

struct HttpOptions {
  std::string reload_token = {};      // lets others than this machine ask for a reload; empty:
                                      // nobody
  std::size_t max_outstanding = 256;  // requests whose answers are still to come
  std::size_t max_output = std::size_t{256} * 1024;  // unsent bytes above which input waits
};

// Counts of one loop, or the sums of all.
struct HttpCounts {
  std::uint64_t connections = 0;  // open now
  std::uint64_t connected = 0;    // since the start
  // Answers by the first digit of their status, from 1.
  std::array<std::uint64_t, 5> answers{};

  HttpCounts& operator+=(const HttpCounts& more);
};

class HttpLoop;

class HttpService {
 public:
  // The pages must outlive the service.
  HttpService(Pages& pages, HttpOptions options);

  Pages& pages() const { return pages_; }
  const HttpOptions& options() const { return options_; }
  HttpCounts counts() const;

 private:
  friend class HttpLoop;

  Pages& pages_;
  const HttpOptions options_;
  LoopSums<HttpLoop, HttpCounts> loops_;
};

class HttpLoop {
 public:
  // `index` is the event loop's.
  HttpLoop(HttpService& service, RuleLoop& rules, std::size_t index);
  ~HttpLoop();
  HttpLoop(const HttpLoop&) = delete;
  HttpLoop& operator=(const HttpLoop&) = delete;

  std::unique_ptr<Conversation> connect(std::string peer);

  HttpService& service() const { return service_; }
  HttpCounts counts() const;
  void count_answer(int status) { answers_[static_cast<std::size_t>(status / 100 - 1)].add(1); }

  RuleLoop& rules;
  const std::size_t index;
  LoopCount connected;
  LoopCount disconnected;

 private:
  HttpService& service_;
  std::array<LoopCount, 5> answers_;
};

}  // namespace tidegate::frontend
