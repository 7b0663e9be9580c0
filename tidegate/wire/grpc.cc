#include "tidegate/wire/grpc.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "tidegate/base/quote.h"

namespace tidegate::grpc {
namespace {

constexpr std::size_t kPrefixBytes = 5;

std::uint32_t big_endian(std::string_view four) {
  std::uint32_t number = 0;
  for (const char byte : four.substr(0, 4)) number = number << 8 | static_cast<std::uint8_t>(byte);
  return number;
}

bool passes_unencoded(char c) {
  return c >= ' ' && c <= '~' && c != '%';
}

// Of a unit of grpc-timeout; 0 for no unit.
constexpr std::int64_t nanoseconds_of(char unit) {
  switch (unit) {
    case 'H':
      return 3'600'000'000'000;
    case 'M':
      return 60'000'000'000;
    case 'S':
      return 1'000'000'000;
    case 'm':
      return 1'000'000;
    case 'u':
      return 1'000;
    case 'n':
      return 1;
    default:
      return 0;
  }
}

}  // namespace

std::string_view to_text(Code code) {
  constexpr std::array<std::string_view, kCodes> kTexts = {
      "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16"};
  return kTexts[static_cast<std::size_t>(code)];
}

std::string percent_encoded(std::string_view message) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  text.reserve(message.size());
  for (const char c : message) {
    if (passes_unencoded(c)) {
      text += c;
    } else {
      const auto byte = static_cast<std::uint8_t>(c);
      text += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return text;
}

Expected<Duration> parse_timeout(std::string_view text) {
  constexpr std::size_t kMostDigits = 8;
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  const auto digits = static_cast<std::size_t>(stop - text.data());
  const std::int64_t unit = end - stop == 1 ? nanoseconds_of(*stop) : 0;
  if (problem != std::errc{} || text.front() == '-' || digits > kMostDigits || unit == 0)
    return error("grpc-timeout " + quoted(text),
                 "expected 1 to 8 digits and one of H, M, S, m, u, n, as in 20m");
  if (unit >= 1'000) return Duration{number * (unit / 1'000)};
  return Duration{(number + 999) / 1'000};
}

tl::expected<std::optional<Message>, Status> Reader::next() {
  const std::string_view rest = input_.rest();
  const auto flag = rest.empty() ? 0 : static_cast<std::uint8_t>(rest.front());
  if (flag > 1)
    return tl::unexpected{
        Status{Code::kInternal, "a message begins with 0 or 1, not with " + std::to_string(flag)}};
  if (rest.size() >= kPrefixBytes) {
    const std::size_t length = big_endian(rest.substr(1));
    if (length > longest_)
      return tl::unexpected{Status{Code::kResourceExhausted,
                                   "a message of " + std::to_string(length) + " bytes; at most " +
                                       std::to_string(longest_) + " are taken"}};
    if (rest.size() - kPrefixBytes >= length) {
      input_.consume(kPrefixBytes + length);
      return Message{rest.substr(kPrefixBytes, length), flag == 1};
    }
  }
  input_.keep();
  return std::nullopt;
}

void append_message(std::string& out, std::string_view payload) {
  const auto length = static_cast<std::uint32_t>(payload.size());
  const char prefix[kPrefixBytes] = {
      0, static_cast<char>(length >> 24), static_cast<char>(length >> 16 & 0xff),
      static_cast<char>(length >> 8 & 0xff), static_cast<char>(length & 0xff)};
  out.append(prefix, sizeof prefix).append(payload);
}

}  // namespace tidegate::grpc
