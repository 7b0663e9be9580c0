// The limits that requests name, parsed once: by their text, or by the numbers of CL.THROTTLE.
//
// Thread safety: none; each event loop has its own. Cost: a hash and a comparison for a limit that
// was seen lately. Bounded: a full cache starts anew, and texts padded to any length are not kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "tidegate/algorithm/limit.h"
#include "tidegate/base/expected.h"

namespace tidegate::frontend {

// `count` each `period`, and `max_burst` more at once: the arguments of CL.THROTTLE.
struct ThrottleSpec {
  std::int64_t max_burst = 0;
  std::int64_t count = 0;
  std::int64_t period = 0;  // seconds

  bool operator==(const ThrottleSpec&) const = default;
};

// Its token_bucket, of capacity max_burst + 1. Errors name the argument.
Expected<Limit> make_limit(const ThrottleSpec& spec);

class LimitCache {
 public:
  Expected<Limit> parse(std::string_view text);
  Expected<Limit> make(const ThrottleSpec& spec);

 private:
  static constexpr std::size_t kTexts = 4096;
  static constexpr std::size_t kLongestText = 128;
  static constexpr std::size_t kSpecs = 256;  // a power of two

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  struct Throttle {
    ThrottleSpec spec;
    std::optional<Limit> limit;
  };

  std::unordered_map<std::string, Limit, Hash, std::equal_to<>> texts_;
  std::array<Throttle, kSpecs> throttles_;
};

}  // namespace tidegate::frontend
