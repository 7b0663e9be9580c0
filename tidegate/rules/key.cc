#include "tidegate/rules/key.h"

#include <algorithm>

namespace tidegate::rules {
namespace {

bool separates_parts(char c) {
  return c == '|' || c == '\\';
}
bool separates_in_part(char c) {
  return separates_parts(c) || c == '=' || c == '~';
}

template <class Special>
void append_escaped(std::string& text, std::string_view bytes, Special special) {
  if (std::none_of(bytes.begin(), bytes.end(), special)) {
    text += bytes;
    return;
  }
  for (const char c : bytes) {
    if (special(c)) text += '\\';
    text += c;
  }
}

void append_two(std::string& text, std::string_view key, char sign, std::string_view value) {
  append_any_part(text, key);
  text += sign;
  append_escaped(text, value, separates_parts);
}

}  // namespace

void append_domain(std::string& text, std::string_view domain) {
  append_escaped(text, domain, separates_parts);
}

void append_part(std::string& text, const DescriptorEntry& entry) {
  append_two(text, entry.key, '=', entry.value);
}

void append_shared_part(std::string& text, std::string_view key, std::string_view pattern) {
  append_two(text, key, '~', pattern);
}

void append_any_part(std::string& text, std::string_view key) {
  text += '|';
  append_escaped(text, key, separates_in_part);
}

void append_brought_limit(std::string& text, Duration period) {
  text += "|=" + std::to_string(period.count()) + "us";
}

}  // namespace tidegate::rules
