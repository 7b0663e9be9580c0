#include "tidegate/wire/resp_request.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "tidegate/base/quote.h"

namespace tidegate::resp {
namespace {

// `*`, `$`, a sign and the digits of any 64-bit number.
constexpr std::size_t kLongestNumber = 24;

std::uint8_t hex_value(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint8_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint8_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint8_t>(c - 'A' + 10);
  return 255;
}

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// Reads what follows a backslash between double quotes; moves past it.
char unescaped(std::string_view& text) {
  const char c = text.front();
  if (c == 'x' && text.size() >= 3 && hex_value(text[1]) < 16 && hex_value(text[2]) < 16) {
    const auto byte = static_cast<char>(hex_value(text[1]) << 4 | hex_value(text[2]));
    text.remove_prefix(3);
    return byte;
  }
  text.remove_prefix(1);
  constexpr std::string_view kNames = "nrtba";
  constexpr std::string_view kBytes = "\n\r\t\b\a";
  const std::size_t name = kNames.find(c);
  return name == std::string_view::npos ? c : kBytes[name];
}

// Reads a quoted part of a word, from its opening quote to the closing one. False when that is
// missing.
bool read_quoted(std::string_view& text, std::string& word) {
  const char quote = text.front();
  text.remove_prefix(1);
  while (!text.empty() && text.front() != quote) {
    const char c = text.front();
    text.remove_prefix(1);
    const bool escape = c == '\\' && !text.empty();
    if (escape && quote == '"') {
      word += unescaped(text);
    } else if (escape && text.front() == '\'') {
      word += '\'';
      text.remove_prefix(1);
    } else {
      word += c;
    }
  }
  if (text.empty()) return false;
  text.remove_prefix(1);
  return text.empty() || is_space(text.front());
}

// A number without a sign and the \r\n behind it, as nearly all are. Returns how many bytes they
// take; 0 when they are not all there, or not so plain.
std::size_t read_plain_number(std::string_view text, std::int64_t& number) {
  constexpr std::size_t kDigits = 18;  // cannot overflow
  std::int64_t value = 0;
  std::size_t at = 0;
  for (; at < std::min(text.size(), kDigits) && text[at] >= '0' && text[at] <= '9'; ++at)
    value = value * 10 + (text[at] - '0');
  if (at == 0 || at + 2 > text.size() || text[at] != '\r' || text[at + 1] != '\n') return 0;
  number = value;
  return at + 2;
}

}  // namespace

RequestReader::Next RequestReader::next() {
  while (error_.empty() && !input_.rest().empty()) {
    const bool array = arguments_left_ > 0 || input_.rest().front() == '*';
    const Step step = array ? read_array() : read_line();
    if (step == Step::kMore) break;
    if (step == Step::kDone && !arguments_.empty()) return Next::kRequest;
  }
  input_.keep();
  return error_.empty() ? Next::kMore : Next::kError;
}

RequestReader::Step RequestReader::read_array() {
  if (arguments_left_ == 0) {
    const auto most = static_cast<std::int64_t>(bounds_.arguments);
    const Step step = read_number("multibulk length", most, arguments_left_);
    if (step != Step::kDone) return step;
  }
  for (; arguments_left_ > 0; --arguments_left_)
    if (const Step step = read_bulk(); step != Step::kDone) return step;
  arguments_left_ = 0;  // it was negative if the array was null
  arguments_.clear();
  for (const Place& place : places_)
    arguments_.push_back(input_.rest().substr(place.begin, place.size));
  finish(at_);
  return Step::kDone;
}

RequestReader::Step RequestReader::read_bulk() {
  const std::string_view rest = input_.rest();
  if (bulk_size_ < 0) {
    if (at_ == rest.size()) return Step::kMore;
    if (rest[at_] != '$') return fail("expected '$', got " + quoted(rest.substr(at_, 1)));
    const auto most = static_cast<std::int64_t>(bounds_.bulk);
    const Step step = read_number("bulk length", most, bulk_size_);
    if (step != Step::kDone) return step;
    if (bulk_size_ < 0) return fail("invalid bulk length");
    if (at_ + static_cast<std::size_t>(bulk_size_) > bounds_.request)
      return fail("a request of more than " + std::to_string(bounds_.request) + " bytes");
  }
  const auto size = static_cast<std::size_t>(bulk_size_);
  if (rest.size() - at_ < size + 2) return Step::kMore;
  if (rest[at_ + size] != '\r' || rest[at_ + size + 1] != '\n')
    return fail("expected \\r\\n after a bulk of " + std::to_string(size) + " bytes");
  places_.push_back({at_, size});
  at_ += size + 2;
  bulk_size_ = -1;
  return Step::kDone;
}

// The number after the type's byte, up to its \r\n.
RequestReader::Step RequestReader::read_number(std::string_view what, std::int64_t highest,
                                               std::int64_t& number) {
  const std::string_view rest = input_.rest().substr(at_, kLongestNumber);
  std::int64_t plain = 0;
  if (const std::size_t size = read_plain_number(rest.substr(1), plain);
      size > 0 && plain <= highest) {
    number = plain;
    at_ += 1 + size;
    return Step::kDone;
  }
  const char* const end = rest.data() + rest.size();
  std::int64_t value = 0;
  const auto [stop, problem] = std::from_chars(rest.data() + 1, end, value);
  const auto used = static_cast<std::size_t>(stop - rest.data());
  const bool cut = rest.size() < kLongestNumber;
  if (cut && (stop == end || (*stop == '\r' && stop + 1 == end) || rest.size() < 3))
    return Step::kMore;
  const bool whole = problem == std::errc{} && used + 2 <= rest.size() && stop[0] == '\r' &&
                     stop[1] == '\n' && value <= highest;
  if (!whole) return fail("invalid " + std::string{what});
  number = value;
  at_ += used + 2;
  return Step::kDone;
}

RequestReader::Step RequestReader::read_line() {
  const std::string_view rest = input_.rest();
  const std::size_t newline = rest.find('\n', at_);
  if (std::min(newline, rest.size()) > bounds_.line) return fail("too big inline request");
  if (newline == std::string_view::npos) {
    at_ = rest.size();
    return Step::kMore;
  }
  const std::size_t size = newline - (newline > 0 && rest[newline - 1] == '\r');
  if (!split_words(rest.substr(0, size))) return fail("unbalanced quotes in request");
  finish(newline + 1);
  return Step::kDone;
}

// As a shell would, by the rules of redis-cli: "..." with escapes, '...' without.
bool RequestReader::split_words(std::string_view line) {
  words_.clear();
  for (;;) {
    while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
    if (line.empty()) break;
    const std::size_t begin = words_.size();
    while (!line.empty() && !is_space(line.front())) {
      if (line.front() == '"' || line.front() == '\'') {
        if (!read_quoted(line, words_)) return false;
      } else {
        words_ += line.front();
        line.remove_prefix(1);
      }
    }
    places_.push_back({begin, words_.size() - begin});
  }
  arguments_.clear();
  for (const Place& place : places_)
    arguments_.push_back(std::string_view{words_}.substr(place.begin, place.size));
  return true;
}

void RequestReader::finish(std::size_t bytes) {
  input_.consume(bytes);
  places_.clear();
  at_ = 0;
}

RequestReader::Step RequestReader::fail(std::string problem) {
  error_ = "Protocol error: " + std::move(problem);
  return Step::kError;
}

void append_request(std::string& out, std::span<const std::string_view> arguments) {
  out += '*';
  out += std::to_string(arguments.size());
  out += "\r\n";
  for (const std::string_view argument : arguments) {
    out += '$';
    out += std::to_string(argument.size());
    out += "\r\n";
    out += argument;
    out += "\r\n";
  }
}

}  // namespace tidegate::resp
