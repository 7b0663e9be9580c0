#include "tidegate/base/uint48.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/support/random.h"

namespace tidegate {
namespace {

TEST(UInt48, Takes_six_bytes_and_no_alignment_to_speak_of) {
  EXPECT_EQ(sizeof(UInt48), 6U);
  EXPECT_LE(alignof(UInt48), 2U);
}

TEST(UInt48, Is_zero_at_first) {
  EXPECT_EQ(std::uint64_t{UInt48{}}, 0U);
}

TEST(UInt48, Gives_back_the_number_it_was_given) {
  for (int bit = 0; bit < 48; ++bit) {
    const std::uint64_t one = std::uint64_t{1} << bit;
    EXPECT_EQ(std::uint64_t{UInt48{one}}, one);
    EXPECT_EQ(std::uint64_t{UInt48{one - 1}}, one - 1);
  }
  EXPECT_EQ(std::uint64_t{UInt48{(std::uint64_t{1} << 48) - 1}}, (std::uint64_t{1} << 48) - 1);
}

TEST(UInt48, Gives_back_random_numbers) {
  test::for_each_trace(1000, [](test::Random& random) {
    const std::uint64_t number = random.bits() >> random.between(16, 63);
    EXPECT_EQ(std::uint64_t{UInt48{number}}, number);
  });
}

}  // namespace
}  // namespace tidegate
