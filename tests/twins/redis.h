// A Redis of the test's own: started on a unix socket in a folder of its own, ended with it, and
// asked one request at a time.
//
//   Redis redis;
//   redis.ask({"SET", "k", "v"}).text  // OK
//
// Thread safety: none. Cost: 20 ms to start; what takes longer than ten seconds throws.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/wire/resp_reply.h"

namespace tidegate::test {

// A reply on its own: what ReplyReader shows, kept.
struct Reply {
  resp::ReplyNode::Type type = resp::ReplyNode::Type::kNull;
  std::int64_t integer = 0;
  std::string text;
  std::vector<Reply> elements;

  bool null() const { return type == resp::ReplyNode::Type::kNull; }
  bool error() const { return type == resp::ReplyNode::Type::kError; }
};

class Redis {
 public:
  Redis();
  ~Redis();
  Redis(const Redis&) = delete;
  Redis& operator=(const Redis&) = delete;

  Reply ask(std::span<const std::string_view> words);
  Reply ask(std::initializer_list<std::string_view> words) {
    return ask(std::span{words.begin(), words.size()});
  }

  const std::string& socket_path() const { return socket_path_; }

 private:
  void start();
  bool connect_once();
  void connect();
  void send(std::string_view bytes) const;
  Reply receive();

  std::string folder_;
  std::string socket_path_;
  pid_t pid_ = 0;
  int fd_ = -1;
  std::vector<char> received_;
  resp::ReplyReader reader_;
};

}  // namespace tidegate::test
