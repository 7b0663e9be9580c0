// By what a request came. Counts are kept for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tidegate::frontend {

enum class Protocol : std::uint8_t { kResp, kHttp, kGrpc };

inline constexpr std::size_t kProtocols = 3;

constexpr std::string_view name(Protocol protocol) {
  constexpr std::string_view kNames[kProtocols] = {"resp", "http", "grpc"};
  return kNames[static_cast<std::size_t>(protocol)];
}

}  // namespace tidegate::frontend
