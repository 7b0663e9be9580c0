// The lines that Envoy writes when it is given no format of its own:
//
//   [2016-04-15T20:17:00.310Z] "POST /api/v1/locations HTTP/2" 204 - 154 0 226 100 "10.0.35.28"
//     "nsq2http" "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "locations" "tcp://10.0.2.1:80"
//
// Pure. Cost: a look at each byte.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "tidegate/replay/logs/form.h"

namespace tidegate::replay {

inline constexpr std::size_t kEnvoyTime = 0;
inline constexpr std::size_t kEnvoyColumns = 13;
using EnvoyColumns = std::array<std::string_view, kEnvoyColumns>;

std::span<const FieldOf> envoy_fields();

// What is wrong with the line, or null.
const char* split_envoy_text(std::string_view line, EnvoyColumns& columns);

}  // namespace tidegate::replay
