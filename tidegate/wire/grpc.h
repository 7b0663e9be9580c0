// gRPC above HTTP/2, without the transport: length-prefixed messages, status codes, the texts of
// its headers (gRPC over HTTP2, the protocol's own document).
//
// Pure, but for GrpcReader, which keeps what has not arrived whole. Thread safety: none; values.
// Cost: O(bytes); a message that lies whole in what was fed is not copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tidegate/base/expected.h"
#include "tidegate/base/time.h"
#include "tidegate/wire/input.h"

namespace tidegate::grpc {

enum class Code : std::uint8_t {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
};

inline constexpr std::size_t kCodes = 17;

struct Status {
  Code code = Code::kOk;
  std::string message = {};

  bool ok() const { return code == Code::kOk; }
  bool operator==(const Status&) const = default;
};

// The value of `grpc-status`.
std::string_view to_text(Code code);

// The value of `grpc-message`: percent-encoded, so that any bytes fit a header.
std::string percent_encoded(std::string_view message);

// The value of `grpc-timeout`: at most 8 digits and a unit of H M S m u n, rounded up to a
// microsecond. An error for every other text.
Expected<Duration> parse_timeout(std::string_view text);

struct Message {
  std::string_view payload;
  bool compressed = false;
};

// Splits one stream's bytes into messages.
class Reader {
 public:
  // Messages above the bound are refused as their length arrives, before their bytes do.
  explicit Reader(std::size_t longest) : longest_{longest} {}

  // Requires that `next` has said that there is nothing more. `bytes`, and what `next` returns,
  // must live until it says so again.
  void feed(std::string_view bytes) { input_.feed(bytes); }
  // The next whole message, or nothing until more is fed.
  tl::expected<std::optional<Message>, Status> next();
  // Whether a message has begun and not ended.
  bool partial() const { return !input_.rest().empty(); }

 private:
  std::size_t longest_;
  Input input_;
};

// Appends a message, uncompressed, with its prefix of 5 bytes.
void append_message(std::string& out, std::string_view payload);

}  // namespace tidegate::grpc
