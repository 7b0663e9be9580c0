// Values of options, from text. Errors name the option, show the text and say what would be right.
//
// Pure functions.
#pragma once

#include <cstdint>
#include <string_view>

#include "tidegate/base/expected.h"
#include "tidegate/base/time.h"

namespace tidegate::cli {

// A whole decimal number from `least` to `most`, both included; 0 <= least.
Expected<std::int64_t> read_number(std::string_view option, std::string_view text,
                                   std::int64_t least, std::int64_t most);

// `10ms`, as in the grammar of limits, or `0`.
Expected<Duration> read_pause(std::string_view option, std::string_view text);

}  // namespace tidegate::cli
