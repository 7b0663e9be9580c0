#include "tidegate/replay/read/quotes.h"

#include <algorithm>

namespace tidegate::replay {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool status_follows(std::string_view rest) {
  return rest.size() >= 4 && rest[0] == ' ' && is_digit(rest[1]) && is_digit(rest[2]) &&
         is_digit(rest[3]) && (rest.size() == 4 || rest[4] == ' ');
}

// Backslashes that stand in pairs are themselves.
bool escaped(std::string_view text, std::size_t at) {
  std::size_t slashes = 0;
  while (slashes < at && text[at - 1 - slashes] == '\\') ++slashes;
  return slashes % 2 != 0;
}

bool word_follows(std::string_view rest) {
  return rest.empty() || rest.front() == ' ';
}

bool anything_follows(std::string_view) {
  return true;
}

}  // namespace

std::size_t QuotedWords::find_end(Follows follows) const {
  for (std::size_t at = text_.find('"'); at != kNone; at = text_.find('"', at + 1))
    if (!escaped(text_, at) && text_.substr(at).starts_with(quote_) &&
        follows(text_.substr(at + quote_.size())))
      return at;
  return kNone;
}

// The text up to there, moved past it, the closing quote and a blank. Without an end, all of it.
std::string_view QuotedWords::cut(std::size_t end) {
  const std::string_view word = text_.substr(0, end);
  text_.remove_prefix(word.size());
  if (text_.starts_with(quote_)) text_.remove_prefix(quote_.size());
  if (text_.starts_with(' ')) text_.remove_prefix(1);
  return word;
}

std::string_view QuotedWords::next_request() {
  if (!text_.starts_with(quote_)) return next();
  text_.remove_prefix(quote_.size());
  const std::size_t end = find_end(status_follows);
  return cut(end == kNone ? find_end(anything_follows) : end);
}

std::string_view QuotedWords::next() {
  if (!text_.starts_with(quote_)) return cut(std::min(text_.find(' '), text_.size()));
  text_.remove_prefix(quote_.size());
  return cut(find_end(word_follows));
}

}  // namespace tidegate::replay
