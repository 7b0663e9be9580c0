// What a connection costs in memory: nothing for a take, and little for a client that means harm.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "tests/support/resp_talk.h"

namespace {

// Of this program, since its start.
std::atomic<std::size_t> allocations{0};
std::atomic<std::size_t> allocated_bytes{0};
std::atomic<std::size_t> freed_bytes{0};  // these two in the sizes that malloc makes of them

}  // namespace

// Not inlined: a compiler that sees through one of them alone takes them for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc{};
  allocated_bytes.fetch_add(malloc_usable_size(memory), std::memory_order_relaxed);
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  freed_bytes.fetch_add(malloc_usable_size(memory), std::memory_order_relaxed);
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}

namespace tidegate {
namespace {

using test::RespTalk;

std::string takes() {
  std::string bytes;
  for (int i = 0; i < 100; ++i) {
    const std::string key = "key:" + std::to_string(i);
    bytes += test::request("CL.THROTTLE " + key + " 4 5 60");
    bytes += test::request("RL.TAKE " + key + " 5/min");
    bytes += test::request("RL.CHECK " + key + " 5/min");
  }
  return bytes;
}

TEST(RespMemory, Is_not_allocated_for_a_take) {
  RespTalk talk;
  const std::string bytes = takes();
  const auto answer = [&] {
    talk.conversation->feed(bytes);
    const std::size_t answered = talk.conversation->output().size();
    talk.conversation->sent(answered);
    return answered;
  };
  for (int warm = 0; warm < 3; ++warm) EXPECT_GT(answer(), 0U);
  const std::size_t before = allocations;
  for (int i = 0; i < 10; ++i) answer();
  EXPECT_EQ(allocations - before, 0U);
}

TEST(RespMemory, Is_not_kept_for_limits_padded_with_blanks) {
  RespTalk talk;
  std::size_t most = 0;
  const auto answer_to = [&](int tokens) {
    const std::string limit =
        std::to_string(tokens) + "/60s" + std::string(100'000, ' ') + "burst 20";
    std::string bytes;
    resp::append_request(bytes, std::vector<std::string_view>{"RL.TAKE", "k", limit});
    const std::size_t before = allocated_bytes;
    talk.conversation->feed(bytes);
    most = std::max(most, allocated_bytes - before);
    return talk.take_output();
  };
  for (int tokens = 1; tokens <= 20; ++tokens)
    EXPECT_TRUE(answer_to(tokens).starts_with("*6\r\n:1"));
  EXPECT_LT(most, 10'000U);
}

TEST(RespMemory, Is_bounded_however_many_limits_are_named) {
  RespTalk talk;
  const std::size_t before = allocated_bytes - freed_bytes;
  for (int tokens = 1; tokens <= 20'000; ++tokens) {
    talk.conversation->feed(test::request("RL.CHECK k " + std::to_string(tokens) + "/60s"));
    talk.conversation->sent(talk.conversation->output().size());
  }
  EXPECT_LT(allocated_bytes - freed_bytes - before, 1'000'000U);
}

TEST(RespMemory, Is_allocated_as_bytes_arrive_not_as_they_are_announced) {
  frontend::RespOptions options;
  options.bounds = {.arguments = 1'000'000'000, .bulk = 4'000'000'000, .request = 8'000'000'000};
  for (const char* announced :
       {"*1\r\n$2000000000\r\n", "*1000000000\r\n", "*1000000000\r\n$2000000000\r\nabc"}) {
    RespTalk talk{options};
    const std::size_t before = allocated_bytes;
    EXPECT_EQ(talk.send(announced), "");
    EXPECT_LT(allocated_bytes - before, 1'000U) << announced;
  }
}

}  // namespace
}  // namespace tidegate
