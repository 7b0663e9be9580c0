// Values of settings, from text. What is expected comes back in place of a value; whoever knows
// where the text stood makes an Error of it.
//
// Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "tidegate/algorithm/limit.h"
#include "tidegate/base/time.h"
#include "tidegate/net/address.h"

namespace tidegate::server {

template <class T>
using Value = tl::expected<T, std::string>;

// A whole decimal number from `least` to `most`, both included.
Value<std::uint64_t> read_count(std::string_view text, std::uint64_t least, std::uint64_t most);

// Bytes: `1g`, `512m`, `64k`, `100`; units are powers of 1024.
Value<std::uint64_t> read_size(std::string_view text);

// `10ms`, as in the grammar of limits, or `0`.
Value<Duration> read_time(std::string_view text);

Value<Limit> read_limit(std::string_view text);

// `127.0.0.1:6380,unix:/run/tidegate.sock`, or `none`
Value<std::vector<net::Address>> read_addresses(std::string_view text);

}  // namespace tidegate::server
