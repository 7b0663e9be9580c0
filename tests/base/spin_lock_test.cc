#include "tidegate/base/spin_lock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tidegate {
namespace {

TEST(SpinLock, Is_one_byte) {
  EXPECT_EQ(sizeof(SpinLock), 1U);
}

TEST(SpinLock, Is_taken_once_at_a_time) {
  SpinLock lock;
  ASSERT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
  ASSERT_TRUE(lock.try_lock());
  lock.unlock();
}

TEST(SpinLock, Is_free_again_after_its_guard) {
  SpinLock lock;
  { const SpinGuard guard{lock}; }
  ASSERT_TRUE(lock.try_lock());
  lock.unlock();
}

// With more threads than cores, so that a holder loses its core to waiters.
TEST(SpinLock, Loses_no_step_of_many_threads) {
  SpinLock lock;
  long steps = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 5'000; ++j) {
        const SpinGuard guard{lock};
        ++steps;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(steps, 80'000);
}

}  // namespace
}  // namespace tidegate
