#include "tidegate/base/spin_lock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tidegate {
namespace {

TEST(SpinLock, Is_one_byte) {
  EXPECT_EQ(sizeof(SpinLock), 1U);
}

bool is_free(SpinLock& lock) {
  if (!lock.try_lock()) return false;
  lock.unlock();
  return true;
}

TEST(SpinLock, Is_held_by_its_guard_and_free_after_it) {
  SpinLock lock;
  EXPECT_TRUE(is_free(lock));
  {
    const SpinGuard guard{lock};
    EXPECT_FALSE(is_free(lock));
  }
  EXPECT_TRUE(is_free(lock));
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
