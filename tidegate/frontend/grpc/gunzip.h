// A message that came compressed.
//
// Thread safety: pure. Cost: O(bytes out), which are bounded whatever the bytes in claim.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tidegate/wire/grpc.h"

namespace tidegate::frontend {

// Writes what the gzip stream holds; or says why that is not done.
std::optional<grpc::Status> gunzip(std::string_view bytes, std::size_t most, std::string& into);

}  // namespace tidegate::frontend
