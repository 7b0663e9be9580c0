#include "tidegate/replay/logs/json_scan.h"

#include <algorithm>
#include <cstdint>

namespace tidegate::replay {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool ends_word(char c) {
  return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\t' || c == ':' || c == '"' ||
         c == '{' || c == '[';
}

void append_utf8(std::string& text, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Four digits behind \u; -1 if they are none.
std::int32_t read_unit(std::string_view raw, std::size_t at) {
  if (at + 4 > raw.size()) return -1;
  std::int32_t unit = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const int digit = hex_digit(raw[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

bool is_high(std::int32_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}

bool is_low(std::int32_t unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

// What stands at `at`, behind \u, and how many bytes it took; a broken escape stays as it is.
std::size_t append_unit(std::string& text, std::string_view raw, std::size_t at) {
  const std::int32_t unit = read_unit(raw, at);
  if (unit < 0) {
    text += "\\u";
    return 0;
  }
  const bool pair = is_high(unit) && raw.substr(at + 4).starts_with("\\u");
  const std::int32_t low = pair ? read_unit(raw, at + 6) : -1;
  if (!is_low(low)) {
    append_utf8(text, is_high(unit) || is_low(unit) ? 0xfffd : static_cast<std::uint32_t>(unit));
    return 4;
  }
  append_utf8(text, 0x10000 + (static_cast<std::uint32_t>(unit - 0xd800) << 10) +
                        static_cast<std::uint32_t>(low - 0xdc00));
  return 10;
}

char simple_escape(char c) {
  constexpr std::string_view kLetters = "bfnrt";
  constexpr std::string_view kMeanings = "\b\f\n\r\t";
  const std::size_t found = kLetters.find(c);
  return found == kNone ? c : kMeanings[found];
}

}  // namespace

char JsonScan::peek() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool JsonScan::take(char c) {
  if (peek() != c || at_ >= text_.size()) return false;
  ++at_;
  return true;
}

bool JsonScan::string(std::string_view& raw) {
  if (!take('"')) return false;
  const std::size_t begin = at_;
  std::size_t close = text_.find('"', begin);
  while (close != kNone) {
    std::size_t slashes = 0;
    while (close - slashes > begin && text_[close - 1 - slashes] == '\\') ++slashes;
    if (slashes % 2 == 0) break;
    close = text_.find('"', close + 1);
  }
  if (close == kNone) return false;
  raw = text_.substr(begin, close - begin);
  at_ = close + 1;
  return true;
}

// An object or an array: brackets are counted, not matched by kind.
bool JsonScan::skip_nest() {
  std::size_t depth = 0;
  std::string_view ignored;
  do {
    const char c = peek();
    if (c == '"') {
      if (!string(ignored)) return false;
      continue;
    }
    if (at_ >= text_.size()) return false;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at_;
  } while (depth > 0);
  return true;
}

bool JsonScan::value(std::string_view& raw) {
  const char c = peek();
  if (c == '"') return string(raw);
  const std::size_t begin = at_;
  if (c == '{' || c == '[') {
    if (!skip_nest()) return false;
  } else {
    while (at_ < text_.size() && !ends_word(text_[at_])) ++at_;
  }
  raw = text_.substr(begin, at_ - begin);
  return !raw.empty();
}

std::string_view unescaped(std::string_view raw, std::string& scratch) {
  std::size_t slash = raw.find('\\');
  if (slash == kNone) return raw;
  scratch.assign(raw.substr(0, slash));
  for (std::size_t at = slash; at < raw.size(); ++at) {
    if (raw[at] != '\\' || at + 1 == raw.size()) {
      scratch += raw[at];
    } else if (raw[++at] == 'u') {
      at += append_unit(scratch, raw, at + 1);
    } else {
      scratch += simple_escape(raw[at]);
    }
  }
  return scratch;
}

}  // namespace tidegate::replay
