#include "tidegate/store/redis/background_store.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <future>
#include <thread>
#include <utility>

#include "tidegate/base/quote.h"

namespace tidegate {

struct BackgroundRedisStore::Loop {
  boost::asio::io_context context{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{
      context.get_executor()};
  std::thread thread;
};

Expected<std::unique_ptr<BackgroundRedisStore>> BackgroundRedisStore::open(
    const RedisOptions& options, const RedisStore::Parts& parts) {
  std::unique_ptr<BackgroundRedisStore> background{new BackgroundRedisStore};
  Loop& loop = *background->loop_;
  return RedisStore::open(options, parts).map([&](std::unique_ptr<RedisStore> store) {
    background->clock_ = parts.clock;
    background->store_ = std::move(store);
    background->store_->start({&loop.context});
    loop.thread = std::thread{[&loop] { loop.context.run(); }};
    return std::move(background);
  });
}

BackgroundRedisStore::BackgroundRedisStore() : loop_{std::make_unique<Loop>()} {}

BackgroundRedisStore::~BackgroundRedisStore() {
  if (!loop_->thread.joinable()) return;
  boost::asio::post(loop_->context, [this] {
    store_->stop();
    loop_->work.reset();
  });
  loop_->thread.join();
}

Expected<void> BackgroundRedisStore::wait_until_ready() {
  const auto answered = std::make_shared<std::promise<Expected<void>>>();
  const Time deadline = clock_->now() + store_->options().connect_timeout;
  store_->ask({"PING"}, deadline, [this, answered](const auto& reply) {
    if (!reply) return answered->set_value(tl::unexpected{reply.error()});
    const resp::ReplyNode& node = reply->front();
    if (node.type != resp::ReplyNode::Type::kError) return answered->set_value({});
    answered->set_value(error(place(store_->options()), "it refuses: " + quoted(node.text)));
  });
  return answered->get_future().get();
}

}  // namespace tidegate
