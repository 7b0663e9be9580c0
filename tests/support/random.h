// Randomness for tests that any run can repeat: a small generator, the seed from the environment,
// and the seed of the failing trace in the failure's message.
//
//   for_each_trace(1000, [](Random& random) { ... EXPECT_EQ(...); });
//
// TIDEGATE_SEED=7 starts at another seed, TIDEGATE_TRACES=100000 runs longer. Trace i has the seed
// TIDEGATE_SEED + i, so a failure is repeated alone by TIDEGATE_SEED=<its seed> TIDEGATE_TRACES=1.
// Thread safety: as an int.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <string>

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define TIDEGATE_TEST_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TIDEGATE_TEST_SANITIZED 1
#endif

namespace tidegate::test {

#ifdef TIDEGATE_TEST_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// splitmix64: any seed is a good one.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_{seed} {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  // In [lowest, highest]; the bias of the modulus does not matter here.
  std::int64_t between(std::int64_t lowest, std::int64_t highest) {
    const auto from = static_cast<std::uint64_t>(lowest);
    const std::uint64_t span = static_cast<std::uint64_t>(highest) - from + 1;
    return static_cast<std::int64_t>(from + (span == 0 ? bits() : bits() % span));
  }

  // In [lowest, highest], every number of binary digits as likely as another; 0 <= lowest.
  std::int64_t log_between(std::int64_t lowest, std::int64_t highest) {
    const auto digits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(highest)));
    const auto length = static_cast<int>(between(0, digits));
    const std::uint64_t most = length == 0 ? 0 : ~std::uint64_t{0} >> (64 - length);
    const auto value =
        between(static_cast<std::int64_t>(most / 2), static_cast<std::int64_t>(most));
    return std::clamp(value, lowest, highest);
  }

  bool chance(int percent) { return between(0, 99) < percent; }

  template <class T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[between(0, static_cast<std::int64_t>(values.size()) - 1)];
  }
  template <class Container>
  auto& pick_from(Container& values) {
    const auto size = static_cast<std::int64_t>(std::size(values));
    return values[static_cast<std::size_t>(between(0, size - 1))];
  }

 private:
  std::uint64_t state_;
};

inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == '\0' ? otherwise : std::strtoull(text, nullptr, 10);
}

inline std::uint64_t first_seed() {
  return from_environment("TIDEGATE_SEED", 1);
}

// Sanitizers slow a trace down about tenfold, and look for other faults than those a rare trace
// finds.
inline std::uint64_t number_of_traces(std::uint64_t usual) {
  return from_environment("TIDEGATE_TRACES", kSanitized ? usual / 20 + 1 : usual);
}

inline std::string how_to_repeat(std::uint64_t seed) {
  return "repeat with TIDEGATE_SEED=" + std::to_string(seed) + " TIDEGATE_TRACES=1";
}

// Runs body(Random&) under one seed after another until one fails; an exception is a failure too.
template <class Body>
void for_each_trace(std::uint64_t usual, Body&& body) {
  const std::uint64_t traces = number_of_traces(usual);
  for (std::uint64_t i = 0; i < traces; ++i) {
    const std::uint64_t seed = first_seed() + i;
    Random random{seed};
    try {
      body(random);
    } catch (const std::exception& broken) {
      ADD_FAILURE() << broken.what();
    }
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << how_to_repeat(seed);
      return;
    }
  }
}

}  // namespace tidegate::test
