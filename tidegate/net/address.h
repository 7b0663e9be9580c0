// Where to listen or connect: `127.0.0.1:6380`, `[::1]:6380`, `localhost:6380`, `:6380` (every
// interface), `unix:/run/tidegate.sock`.
//
// A value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tidegate/base/expected.h"

namespace tidegate::net {

struct Address {
  std::string host = {};   // empty: every interface
  std::uint16_t port = 0;  // 0: a free one
  std::string path = {};   // of a unix socket; then there is no host and no port

  // Errors show the text and say what would be right.
  static Expected<Address> parse(std::string_view text);

  bool is_unix() const { return !path.empty(); }
  std::string to_string() const;  // reads back as the same
  bool operator==(const Address&) const = default;
};

}  // namespace tidegate::net
