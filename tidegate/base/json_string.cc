#include "tidegate/base/json_string.h"

#include <algorithm>
#include <cstddef>

namespace tidegate {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

std::size_t length_by_lead(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

// The second byte rules out overlong forms, surrogates and what lies beyond U+10FFFF.
bool second_fits(unsigned lead, unsigned second) {
  if (lead == 0xe0) return second >= 0xa0;
  if (lead == 0xed) return second < 0xa0;
  if (lead == 0xf0) return second >= 0x90;
  return lead != 0xf4 || second < 0x90;
}

// The length of the UTF-8 character that starts a text, 0 when none does. Requires text.
std::size_t utf8_length(std::string_view text) {
  const unsigned lead = byte_at(text, 0);
  const std::size_t length = length_by_lead(lead);
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, i) & 0xc0) != 0x80) return 0;
  return length > 1 && !second_fits(lead, byte_at(text, 1)) ? 0 : length;
}

void append_escape(std::string& text, unsigned byte) {
  constexpr char kHex[] = "0123456789abcdef";
  text += {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]};
}

// How many bytes at the start of a text are ASCII that stands for itself: nearly all, as a rule.
std::size_t plain_bytes(std::string_view text) {
  const auto is_plain = [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; };
  const auto end = std::find_if_not(text.begin(), text.end(), is_plain);
  return static_cast<std::size_t>(end - text.begin());
}

// Requires bytes. Returns how many of them were appended.
std::size_t append_character(std::string& text, std::string_view bytes) {
  const unsigned lead = byte_at(bytes, 0);
  const std::size_t length = utf8_length(bytes);
  if (length == 0 || lead < 0x20 || lead == 0x7f) {
    append_escape(text, lead);
    return 1;
  }
  if (lead == '"' || lead == '\\') text += '\\';
  text += bytes.substr(0, length);
  return length;
}

}  // namespace

void append_json_string(std::string& text, std::string_view bytes) {
  text += '"';
  while (!bytes.empty()) {
    const std::size_t plain = plain_bytes(bytes);
    text += bytes.substr(0, plain);
    bytes.remove_prefix(plain);
    if (!bytes.empty()) bytes.remove_prefix(append_character(text, bytes));
  }
  text += '"';
}

}  // namespace tidegate
