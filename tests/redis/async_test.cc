#include "tidegate/asio.h"

#include <gtest/gtest.h>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <memory>
#include <string>

#include "tests/redis/harness.h"
#include "tests/support/delayed_store.h"
#include "tidegate/store/memory/memory_store.h"
#include "tidegate/store/redis/background_store.h"

namespace tidegate::test {
namespace {

namespace asio = boost::asio;

constexpr Limit kTwo = "2/h"_limit;

// The stores whose answers come at once, on another thread, and in another order.
struct Stores {
  ManualClock clock;
  MemoryStore memory{{}, clock};
  DelayedStore delayed{memory, 7};

  Stores() { delayed.start_thread(); }
};

TEST(AsyncLimiter, Coroutines_await_their_answers) {
  Stores stores;
  for (Store* store : {static_cast<Store*>(&stores.memory), static_cast<Store*>(&stores.delayed)}) {
    asio::io_context loop;
    int allowed = 0;
    const auto three_times = [&](AsyncLimiter limiter) -> asio::awaitable<void> {
      for (int i = 0; i < 3; ++i) {
        const auto decision = co_await limiter.async_take("k", kTwo, 1, asio::use_awaitable);
        allowed += decision->allowed;
      }
      co_await limiter.async_reset("k", asio::use_awaitable);
    };
    asio::co_spawn(loop, three_times(AsyncLimiter{*store}), asio::detached);
    loop.run();
    EXPECT_EQ(allowed, 2);
  }
}

TEST(AsyncLimiter, Futures_are_filled) {
  Stores stores;
  const AsyncLimiter limiter{stores.delayed};
  auto taken = limiter.async_take("k", kTwo, 2, asio::use_future).get();
  EXPECT_TRUE(taken->allowed);
  EXPECT_FALSE(limiter.async_check("k", kTwo, 1, asio::use_future).get()->allowed);
  EXPECT_TRUE(limiter.async_give_back("k", kTwo, 1, taken->at, asio::use_future).get());
  EXPECT_EQ(limiter.async_check("k", kTwo, 0, asio::use_future).get()->remaining, 1U);
  EXPECT_FALSE(limiter.async_take("k", kTwo, -1, asio::use_future).get());
}

TEST(AsyncLimiter, A_callback_is_never_called_within_the_call) {
  Stores stores;
  asio::io_context loop;
  bool called = false;
  AsyncLimiter{stores.memory}.async_take(
      "k", kTwo, 1, asio::bind_executor(loop, [&](const Expected<Decision>& decision) {
        called = decision->allowed;
      }));
  EXPECT_FALSE(called);
  loop.run();
  EXPECT_TRUE(called);
}

TEST(AsyncLimiter, Several_takes_have_one_answer) {
  Stores stores;
  const AsyncLimiter limiter{stores.delayed};
  const std::vector<OwnedTake> takes{{std::string(100, 'a'), kTwo}, {"b", "1/h"_limit}};
  const auto ask = [&] {
    return limiter.async_take(takes, Charge::kAllOrNothing, asio::use_future).get();
  };
  EXPECT_TRUE(ask()->allowed);
  EXPECT_EQ(ask()->binding, 1U);
}

TEST(AsyncLimiter, A_plain_program_waits_for_redis_no_longer_than_its_deadline) {
  RedisServer server;
  const auto store =
      BackgroundRedisStore::open(redis_options(server.url() + "?timeout=10s")).value();
  ASSERT_TRUE(store->wait_until_ready());
  const AsyncLimiter limiter{*store};
  EXPECT_TRUE(limiter.async_take("k", kTwo, 2, asio::use_future).get()->allowed);
  EXPECT_FALSE(limiter.async_take("k", kTwo, 1, asio::use_future).get()->allowed);
  server.stop();
  const Time deadline = system_clock().now() + std::chrono::milliseconds{20};
  const auto late = limiter.by(deadline).async_take("k", kTwo, 1, asio::use_future).get();
  EXPECT_TRUE(late->allowed);  // by policy
  EXPECT_LT(system_clock().now() - deadline, std::chrono::seconds{5});
  server.go_on();
}

}  // namespace
}  // namespace tidegate::test
