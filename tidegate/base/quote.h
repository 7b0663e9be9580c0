// Shows outside bytes in a message: in quotes, on one line, cut short.
#pragma once

#include <string>
#include <string_view>

namespace tidegate {

// At most this much of a text is repeated in an error about it.
inline constexpr std::size_t kQuotedBytes = 80;

// What is not printable ASCII becomes \xNN; a cut is marked by three dots.
inline std::string quoted(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string shown = "\"";
  for (const char c : text.substr(0, kQuotedBytes)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == '"' || byte == '\\') shown += '\\';
    if (byte >= 0x20 && byte < 0x7f) {
      shown += c;
    } else {
      shown += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return shown + (text.size() > kQuotedBytes ? "...\"" : "\"");
}

}  // namespace tidegate
