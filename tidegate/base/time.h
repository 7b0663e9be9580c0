// Time in tidegate: whole microseconds since the Unix epoch, in std::chrono types.
//
// Values, safe to share. Microseconds because Redis' Lua has only doubles, and this is the finest
// unit that a double holds exactly until the year 2255. Times before the epoch do not occur.
#pragma once

#include <chrono>

namespace tidegate {

using Duration = std::chrono::microseconds;
using Time = std::chrono::sys_time<Duration>;

// The wait that never ends: what is asked for can never fit.
inline constexpr Duration kNever = Duration::max();

// The last instant of the supported range, 2^53 - 1 us (in the year 2255). Clocks clamp to
// [epoch, kEndOfTime].
inline constexpr Time kEndOfTime{Duration{(std::int64_t{1} << 53) - 1}};

}  // namespace tidegate
