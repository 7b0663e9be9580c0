// An unsigned integer below 2^48 in six bytes, so that a state fits its slot of a table.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>

namespace tidegate {

class UInt48 {
 public:
  UInt48() = default;
  UInt48(std::uint64_t value) {  // NOLINT(google-explicit-constructor): it is a number
    assert(value >> 48 == 0);
    parts_[0] = static_cast<std::uint16_t>(value);
    parts_[1] = static_cast<std::uint16_t>(value >> 16);
    parts_[2] = static_cast<std::uint16_t>(value >> 32);
  }
  operator std::uint64_t() const {  // NOLINT(google-explicit-constructor)
    return parts_[0] | std::uint64_t{parts_[1]} << 16 | std::uint64_t{parts_[2]} << 32;
  }

 private:
  std::uint16_t parts_[3]{};
};

}  // namespace tidegate
