// x * a / b without ever rounding the product: the long division behind every limit.
//
// Pure, constexpr, no allocation. One 64-bit division when the product fits 64 bits, as it does for
// limits that people write; one 128-bit division otherwise.
#pragma once

#include <cassert>
#include <cstdint>

namespace tidegate {

struct Quotient {
  std::uint64_t whole;
  std::uint64_t rest;
};

__extension__ using Wide = unsigned __int128;

// Requires b > 0 and a quotient below 2^64.
constexpr Quotient divide(Wide x, std::uint64_t b) {
  if (x >> 64 == 0) {
    const auto narrow = static_cast<std::uint64_t>(x);
    return {narrow / b, narrow % b};
  }
  assert(x / b >> 64 == 0);
  return {static_cast<std::uint64_t>(x / b), static_cast<std::uint64_t>(x % b)};
}

constexpr Quotient muldiv(std::uint64_t x, std::uint64_t a, std::uint64_t b) {
  return divide(Wide{x} * a, b);
}

constexpr std::uint64_t divide_up(Wide x, std::uint64_t b) {
  const Quotient q = divide(x, b);
  return q.whole + (q.rest != 0);
}

constexpr std::uint64_t muldiv_up(std::uint64_t x, std::uint64_t a, std::uint64_t b) {
  return divide_up(Wide{x} * a, b);
}

}  // namespace tidegate
