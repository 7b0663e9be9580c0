#include "tidegate/store/redis/redis_store.h"

#include <algorithm>
#include <utility>

#include "tidegate/store/redis/client.h"
#include "tidegate/store/redis/tls.h"
#include "tidegate/wire/resp_request.h"

namespace tidegate {

Expected<std::unique_ptr<RedisStore>> RedisStore::open(const RedisOptions& options,
                                                       const Parts& parts) {
  return redis::make_tls(options).map([&](std::shared_ptr<boost::asio::ssl::context> tls) {
    auto shared = std::make_shared<redis::Shared>(options, parts, std::move(tls));
    return std::unique_ptr<RedisStore>{new RedisStore{std::move(shared)}};
  });
}

RedisStore::RedisStore(std::shared_ptr<redis::Shared> shared) : shared_{std::move(shared)} {}

RedisStore::~RedisStore() {
  stop();
}

void RedisStore::start(const Loops& loops) {
  for (boost::asio::io_context* loop : loops) {
    clients_.push_back(std::make_shared<redis::Client>(*loop, shared_));
    clients_.back()->start();
  }
}

void RedisStore::stop() {
  for (const auto& client : clients_) client->close();
  clients_.clear();
}

void RedisStore::submit(TakeOp& op) {
  if (auto problem = problem_with(op.takes)) {
    op.error = std::move(problem);
    return op.complete(op);
  }
  hand_over(op);
}

void RedisStore::submit(GiveBackOp& op) {
  submit_checked(op);
}

void RedisStore::submit(ResetOp& op) {
  submit_checked(op);
}

template <class Op>
void RedisStore::submit_checked(Op& op) {
  if (auto problem = problem_with(op)) {
    op.error = std::move(problem);
    return op.complete(op);
  }
  hand_over(op);
}

template <class Op>
void RedisStore::hand_over(Op& op) {
  redis::Client* const client = here();
  client != nullptr ? client->submit(&op) : clients_.front()->hand_over(&op);
}

void RedisStore::ask(std::vector<std::string> words, Time deadline, OnReply done) {
  auto question = std::make_unique<redis::Question>();
  const std::vector<std::string_view> views{words.begin(), words.end()};
  resp::append_request(question->request, views);
  question->deadline = deadline;
  question->done = std::move(done);
  redis::Client* const client = here();
  client != nullptr ? client->submit(std::move(question))
                    : clients_.front()->hand_over(std::move(question));
}

const RedisOptions& RedisStore::options() const {
  return shared_->options;
}

std::size_t RedisStore::in_flight() const {
  std::size_t sum = 0;
  for (const auto& client : clients_) sum += client->in_flight();
  return sum;
}

// The client of the loop that this thread runs, or null.
redis::Client* RedisStore::here() const {
  for (const auto& client : clients_)
    if (client->on_this_thread()) return client.get();
  return nullptr;
}

}  // namespace tidegate
