// How long to wait before connecting again: twice as long each time, up to a bound, and a random
// half of it less, so that those who lost a server together do not come back together.
//
// Thread safety: none. Cost: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "tidegate/base/time.h"

namespace tidegate::redis {

class Backoff {
 public:
  static constexpr Duration kFirst{50'000};
  static constexpr Duration kLongest{1'000'000};

  explicit Backoff(std::uint32_t seed) : random_{seed} {}

  Duration next() {
    const Duration whole = next_;
    next_ = std::min(whole * 2, kLongest);
    return std::uniform_int_distribution<Duration::rep>{whole.count() / 2,
                                                        whole.count()}(random_)*Duration{1};
  }
  void reset() { next_ = kFirst; }
  bool fresh() const { return next_ == kFirst; }

 private:
  Duration next_ = kFirst;
  std::minstd_rand random_;
};

}  // namespace tidegate::redis
