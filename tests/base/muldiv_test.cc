#include "tidegate/base/muldiv.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/support/random.h"

namespace tidegate {
namespace {

using test::Random;

constexpr std::uint64_t kMost = ~std::uint64_t{0};

// Schoolbook division, a bit at a time: slow, and without a division in it.
Quotient long_division(Wide x, std::uint64_t b) {
  std::uint64_t whole = 0;
  Wide rest = 0;
  for (int bit = 127; bit >= 0; --bit) {
    rest = rest << 1 | (x >> bit & 1);
    whole <<= 1;
    if (rest >= b) {
      rest -= b;
      whole |= 1;
    }
  }
  return {whole, static_cast<std::uint64_t>(rest)};
}

std::uint64_t any_number(Random& random) {
  return random.bits() >> random.between(0, 63);
}

TEST(Muldiv, Divides_without_rounding_the_product) {
  static_assert(muldiv(10, 3, 4).whole == 7);
  static_assert(muldiv(10, 3, 4).rest == 2);
  const Quotient q = muldiv(kMost, kMost, kMost);
  EXPECT_EQ(q.whole, kMost);
  EXPECT_EQ(q.rest, 0U);
}

TEST(Muldiv, Divides_products_on_both_sides_of_64_bits) {
  const std::uint64_t root = std::uint64_t{1} << 32;
  EXPECT_EQ(muldiv(root - 1, root + 1, 1).whole, kMost);
  EXPECT_EQ(muldiv(root, root, root).whole, root);
  EXPECT_EQ(muldiv(root, root, root + 1).whole, root - 1);
  EXPECT_EQ(muldiv(root, root, root + 1).rest, 1U);
}

TEST(Muldiv, Of_zero_is_zero) {
  EXPECT_EQ(muldiv(0, kMost, 7).whole, 0U);
  EXPECT_EQ(muldiv(0, kMost, 7).rest, 0U);
  EXPECT_EQ(muldiv_up(0, kMost, 7), 0U);
}

TEST(Muldiv, Rounds_up_only_a_rest) {
  static_assert(muldiv_up(10, 3, 5) == 6);
  static_assert(muldiv_up(10, 3, 4) == 8);
  static_assert(divide_up(0, 4) == 0);
  static_assert(divide_up(1, 4) == 1);
  EXPECT_EQ(divide_up((Wide{1} << 64) - 1, kMost), 1U);
  EXPECT_EQ(divide_up(Wide{1} << 64, kMost), 2U);
}

TEST(Muldiv, Equals_long_division) {
  test::for_each_trace(20'000, [](Random& random) {
    const std::uint64_t x = any_number(random), a = any_number(random);
    const std::uint64_t b = any_number(random) | 1;
    const Wide product = Wide{x} * a;
    if (product / b >> 64 != 0) return;  // outside of what is required
    const Quotient right = long_division(product, b);
    EXPECT_EQ(muldiv(x, a, b).whole, right.whole) << x << " * " << a << " / " << b;
    EXPECT_EQ(muldiv(x, a, b).rest, right.rest) << x << " * " << a << " / " << b;
    EXPECT_EQ(Wide{right.whole} * b + right.rest, product);
    if (right.whole == kMost) return;
    EXPECT_EQ(muldiv_up(x, a, b), right.whole + (right.rest > 0));
  });
}

}  // namespace
}  // namespace tidegate
