#include "tidegate/base/json_string.h"

#include <gtest/gtest.h>

#include "tests/support/random.h"

namespace tidegate {
namespace {

using test::Random;
using namespace std::literals;

std::string json_string(std::string_view bytes) {
  std::string text;
  append_json_string(text, bytes);
  return text;
}

TEST(JsonString, Follows_the_table) {
  const struct {
    std::string_view bytes;
    const char* text;
  } kTable[] = {
      {"", R"("")"},
      {"user:42", R"("user:42")"},
      {"say \"hi\"", R"("say \"hi\"")"},
      {"a\\b/c", R"("a\\b/c")"},
      {"\0\n\x1f\x7f"sv, R"("\u0000\u000a\u001f\u007f")"},
      {"\xc3\xbc", "\"\xc3\xbc\""},                                  // two bytes
      {"\xe2\x82\xac", "\"\xe2\x82\xac\""},                          // three
      {"\xf0\x9f\x8c\x8a", "\"\xf0\x9f\x8c\x8a\""},                  // four
      {"\xf4\x8f\xbf\xbf", "\"\xf4\x8f\xbf\xbf\""},                  // the last character
      {"\xed\x9f\xbf\xee\x80\x80", "\"\xed\x9f\xbf\xee\x80\x80\""},  // around the surrogates
      {"\x80", R"("\u0080")"},                                       // a tail alone
      {"\xc3", R"("\u00c3")"},                                       // cut short
      {"\xe2\x82", R"("\u00e2\u0082")"},
      {"\xc3z", R"("\u00c3z")"},
      {"\xc1\xbf", R"("\u00c1\u00bf")"},                      // overlong
      {"\xe0\x9f\xbf", R"("\u00e0\u009f\u00bf")"},            // overlong
      {"\xf0\x8f\xbf\xbf", R"("\u00f0\u008f\u00bf\u00bf")"},  // overlong
      {"\xed\xa0\x80", R"("\u00ed\u00a0\u0080")"},            // a surrogate
      {"\xf4\x90\x80\x80", R"("\u00f4\u0090\u0080\u0080")"},  // beyond U+10FFFF
      {"\xf5\x80\x80\x80", R"("\u00f5\u0080\u0080\u0080")"},
      {"\xff\xfe", R"("\u00ff\u00fe")"},
  };
  for (const auto& row : kTable) EXPECT_EQ(json_string(row.bytes), row.text);
}

// The bytes behind a string that append_json_string wrote; throws on what is no JSON string.
std::string read_json_string(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : throw "cut short"; };
  std::string bytes;
  if (at(0) != '"') throw "no quote";
  std::size_t i = 1;
  for (; at(i) != '"'; ++i) {
    if (static_cast<unsigned char>(at(i)) < 0x20) throw "control character";
    if (at(i) == '\\') {
      ++i;
      if (at(i) == 'u') {
        bytes += static_cast<char>(std::stoi(std::string{text.substr(i + 1, 4)}, nullptr, 16));
        i += 4;
        continue;
      }
    }
    bytes += at(i);
  }
  if (i + 1 != text.size()) throw "text after the string";
  return bytes;
}

std::string random_bytes(Random& random) {
  std::string bytes;
  for (std::int64_t left = random.between(0, 12); left > 0; --left)
    bytes += random.pick({"\xc3", "\xbc", "\xe2", "\x82", "\xac", "\xed", "\xa0", "\xf0", "\x9f",
                          "\x8c", "\"", "\\", "a", "\n", "u0041"});
  return bytes;
}

TEST(JsonString, Keeps_every_byte_and_tells_all_keys_apart) {
  test::for_each_trace(20'000, [](Random& random) {
    const std::string bytes = random_bytes(random);
    EXPECT_EQ(read_json_string(json_string(bytes)), bytes);
  });
}

// A naive decoder: the code point, in the shortest form, no surrogate.
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t tail = lead < 0x80 ? 0 : lead >> 5 == 6 ? 1 : lead >> 4 == 14 ? 2 : 3;
    if (lead >= 0x80 && (lead < 0xc0 || lead >= 0xf8 || i + tail >= text.size())) return false;
    std::uint32_t code = tail == 0 ? lead : lead & (0x3fu >> tail);
    for (std::size_t k = 1; k <= tail; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      if (byte >> 6 != 2) return false;
      code = code << 6 | (byte & 0x3f);
    }
    constexpr std::uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
    if (code < kLeast[tail] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
    i += tail + 1;
  }
  return true;
}

TEST(JsonString, Is_utf8_whatever_the_bytes) {
  test::for_each_trace(20'000, [](Random& random) {
    const std::string bytes = random_bytes(random);
    const std::string text = json_string(bytes);
    EXPECT_TRUE(is_utf8(text)) << text;
    const bool printable = bytes.find_first_of("\"\\\n") == std::string::npos;
    if (is_utf8(bytes) && printable) {
      EXPECT_EQ(text, '"' + bytes + '"');
    }
  });
}

}  // namespace
}  // namespace tidegate
