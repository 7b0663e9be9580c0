#include "tidegate/store/redis/connection.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "tidegate/base/quote.h"
#include "tidegate/store/redis/stream.h"
#include "tidegate/wire/resp_request.h"

namespace tidegate::redis {
namespace {

using Type = resp::ReplyNode::Type;

constexpr std::size_t kInputBytes = std::size_t{64} * 1024;

// The reply to HELLO is a row of names and values, of which some are rows themselves.
RedisServerFacts read_facts(Nodes reply) {
  RedisServerFacts facts;
  const std::pair<std::string_view, std::string*> wanted[] = {{"server", &facts.name},
                                                              {"version", &facts.version},
                                                              {"mode", &facts.mode},
                                                              {"role", &facts.role}};
  for (std::size_t i = 0; i + 1 < reply.size(); ++i)
    for (const auto& [name, into] : wanted)
      if (reply[i].text == name && into->empty() && reply[i + 1].type == Type::kText)
        *into = reply[i + 1].text;
  return facts;
}

// What a server says no with at a greeting, in words that say what to do.
std::string refusal(std::string_view said) {
  std::string text = quoted(said);
  if (said.starts_with("WRONGPASS") || said.starts_with("NOAUTH"))
    return text + ": the user and the password that it wants are missing or wrong";
  if (said.starts_with("ERR unknown command")) return text + ": Redis 6.2 or newer is needed";
  return text;
}

}  // namespace

Connection::Connection(asio::io_context& loop, const RedisOptions& options,
                       std::shared_ptr<asio::ssl::context> tls, Owner& owner)
    : loop_{loop},
      options_{options},
      tls_{std::move(tls)},
      owner_{&owner},
      stream_{std::make_unique<Stream>(loop, options, tls_.get())},
      patience_{loop},
      input_(kInputBytes) {}

Connection::~Connection() = default;

std::shared_ptr<Connection> Connection::open(asio::io_context& loop, const RedisOptions& options,
                                             std::shared_ptr<asio::ssl::context> tls,
                                             Owner& owner) {
  std::shared_ptr<Connection> connection{new Connection{loop, options, std::move(tls), owner}};
  connection->start();
  return connection;
}

void Connection::start() {
  patience_.expires_after(options_.connect_timeout);
  patience_.async_wait([self = shared_from_this()](error_code stopped) {
    if (!stopped) self->fail("no connection within " + in_words(self->options_.connect_timeout));
  });
  stream_->connect([self = shared_from_this()](error_code problem) {
    problem ? self->fail("cannot connect: " + problem.message()) : self->greet();
  });
}

void Connection::greet() {
  if (!is_open()) return;
  const std::string_view user = options_.user.empty() ? "default" : std::string_view{options_.user};
  std::vector<std::string_view> hello{"HELLO", "2"};
  if (!options_.password.empty() || !options_.user.empty())
    hello.insert(hello.end(), {"AUTH", user, options_.password});
  hello.insert(hello.end(), {"SETNAME", "tidegate"});
  const std::string db = std::to_string(options_.db);
  const std::string_view select[] = {"SELECT", db};
  resp::append_request(output_, hello);
  if (options_.db != 0) resp::append_request(output_, select);
  greetings_left_ = options_.db != 0 ? 2 : 1;
  send();
  read();
}

void Connection::on_greeting(Nodes reply) {
  if (reply.front().type == Type::kError) return fail("it refuses: " + refusal(reply.front().text));
  if (reply.front().type == Type::kArray) server_ = read_facts(reply);
  if (server_.role == "slave" || server_.role == "replica")
    return fail("it is a replica, which cannot write");
  if (--greetings_left_ > 0) return;
  patience_.cancel();
  owner_->on_ready(server_);
}

void Connection::flush() {
  if (flush_posted_ || output_.empty()) return;
  flush_posted_ = true;
  asio::post(loop_, [self = shared_from_this()] {
    self->flush_posted_ = false;
    self->send();
  });
}

void Connection::send() {
  if (!is_open() || !sending_.empty() || output_.empty()) return;
  sending_.swap(output_);
  stream_->write(asio::buffer(sending_), [self = shared_from_this()](error_code problem, auto) {
    self->sending_.clear();
    problem ? self->fail("cannot send: " + problem.message()) : self->send();
  });
}

void Connection::read() {
  stream_->read_some(asio::buffer(input_),
                     [self = shared_from_this()](error_code problem, std::size_t bytes) {
                       if (!self->is_open()) return;
                       if (problem) return self->fail("connection lost: " + problem.message());
                       self->take_replies({self->input_.data(), bytes});
                       if (self->is_open()) self->read();
                     });
}

void Connection::take_replies(std::string_view bytes) {
  reader_.feed(bytes);
  while (is_open()) {
    switch (reader_.next()) {
      case resp::ReplyReader::Next::kMore:
        return;
      case resp::ReplyReader::Next::kError:
        return fail("what it says is not RESP: " + reader_.error());
      case resp::ReplyReader::Next::kReply:
        if (!reader_.push()) on_reply(reader_.reply());
    }
  }
}

void Connection::on_reply(Nodes reply) {
  greetings_left_ > 0 ? on_greeting(reply) : owner_->on_reply(reply);
}

void Connection::fail(const std::string& why) {
  if (!is_open()) return;
  Owner& owner = *owner_;
  close();
  owner.on_closed(why);
}

void Connection::close() {
  owner_ = nullptr;
  patience_.cancel();
  stream_->close();
}

}  // namespace tidegate::redis
