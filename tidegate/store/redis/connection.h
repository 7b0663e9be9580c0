// One connection to a Redis: connected, greeted and logged in, it carries requests out and replies
// back, in order.
//
//   auto connection = Connection::open(loop, options, tls, owner);   // owner.on_ready, ...
//   append_request(connection->output(), words);  connection->flush();
//   connection->close();                                             // the owner hears no more
//
// What is appended in one turn of the loop leaves in one send. Thread safety: none; it lives on one
// event loop. Cost: a system call to send what a turn has gathered, one to read what has come.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/store/redis/events.h"
#include "tidegate/store/redis/script_call.h"

namespace boost::asio::ssl {
class context;
}

namespace tidegate::redis {

namespace asio = boost::asio;
using boost::system::error_code;

class Stream;

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  class Owner {
   public:
    virtual void on_ready(const RedisServerFacts& server) = 0;
    virtual void on_reply(Nodes reply) = 0;  // to the oldest request without one
    virtual void on_closed(const std::string& why) = 0;

   protected:
    ~Owner() = default;
  };

  // The options must outlive it, the owner until it is closed.
  static std::shared_ptr<Connection> open(asio::io_context& loop, const RedisOptions& options,
                                          std::shared_ptr<asio::ssl::context> tls, Owner& owner);

  // Requires on_ready.
  std::string& output() { return output_; }
  void flush();

  void close();
  ~Connection();

 private:
  Connection(asio::io_context& loop, const RedisOptions& options,
             std::shared_ptr<asio::ssl::context> tls, Owner& owner);

  void start();
  void greet();
  void on_greeting(Nodes reply);
  void send();
  void read();
  void take_replies(std::string_view bytes);
  void on_reply(Nodes reply);
  void fail(const std::string& why);
  bool is_open() const { return owner_ != nullptr; }

  asio::io_context& loop_;
  const RedisOptions& options_;
  std::shared_ptr<asio::ssl::context> tls_;
  Owner* owner_;  // null once closed
  std::unique_ptr<Stream> stream_;
  asio::steady_timer patience_;
  RedisServerFacts server_;
  int greetings_left_ = 0;  // replies to come before it is ready
  std::string output_;
  std::string sending_;
  bool flush_posted_ = false;
  std::vector<char> input_;
  resp::ReplyReader reader_;
};

}  // namespace tidegate::redis
