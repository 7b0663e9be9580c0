// How a report writes its numbers: 12,345 requests, 3.2 %, 2026-11-30 14:05.
//
// Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "tidegate/base/time.h"

namespace tidegate::replay {

std::string grouped(std::uint64_t number);                           // 1,234,567
std::string counted(std::uint64_t number, const std::string& what);  // 1 key, 1,234 keys
std::string percent(std::uint64_t part, std::uint64_t of);           // 12.3 %, 0.04 %, 0 %
std::string clock_text(Time at);                                     // 2026-11-30 14:05:09, UTC
std::string length_text(Duration length);                            // 3 d 4 h, 90 s, 250 ms

}  // namespace tidegate::replay
