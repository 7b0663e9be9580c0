// Measuring A against B in one run: rounds alternate, medians are compared, so that what else the
// machine does hits both alike.
//
// Times are CPU times of the calling thread, unless said otherwise.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string_view>
#include <vector>

namespace tidegate::bench {

inline double seconds(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Medians of seconds for a and b, and of the ratios a / b of adjacent rounds.
struct Pair {
  double a;
  double b;
  double ratio;
};

template <class A, class B>
Pair interleave(int rounds, A&& a, B&& b) {
  std::vector<double> as;
  std::vector<double> bs;
  std::vector<double> ratios;
  const auto time = [](auto&& f) {
    const double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    f();
    return seconds(CLOCK_THREAD_CPUTIME_ID) - start;
  };
  a();
  b();
  for (int i = 0; i < rounds; ++i) {
    const bool a_first = i % 2 == 0;
    double ta = a_first ? time(a) : 0;
    const double tb = time(b);
    if (!a_first) ta = time(a);
    as.push_back(ta);
    bs.push_back(tb);
    ratios.push_back(ta / tb);
  }
  return {median(as), median(bs), median(ratios)};
}

// A key of 16 bytes, made from a number without a look at memory.
class Key {
 public:
  explicit Key(std::uint64_t number) {
    const std::uint64_t words[2] = {number, number * 0x9e3779b97f4a7c15};
    std::memcpy(bytes_.data(), words, sizeof words);
  }
  std::string_view view() const { return {bytes_.data(), bytes_.size()}; }

 private:
  std::array<char, 16> bytes_;
};

// xorshift64: as cheap as a random order gets.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_{seed} {}
  std::uint64_t below(std::uint64_t bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint64_t>((Wide{state_} * bound) >> 64);
  }

 private:
  __extension__ using Wide = unsigned __int128;
  std::uint64_t state_;
};

}  // namespace tidegate::bench
