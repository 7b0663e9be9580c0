#include "tidegate/cli/text.h"

#include <algorithm>

#include "tidegate/base/json_string.h"

namespace tidegate::cli {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using tenths = std::chrono::duration<std::int64_t, std::deci>;

bool is_plain(char c) {
  return c > ' ' && c < '\x7f' && c != '"' && c != '\\';
}

}  // namespace

void append_duration(std::string& text, Duration wait) {
  if (wait == kNever) {
    text += "never";
  } else if (wait < milliseconds{1}) {
    append_number(text, wait.count());
    text += "us";
  } else if (const auto ms = std::chrono::ceil<milliseconds>(wait); ms < milliseconds{1000}) {
    append_number(text, ms.count());
    text += "ms";
  } else {
    const std::int64_t count = std::chrono::ceil<tenths>(wait).count();
    append_number(text, count / 10);
    if (count % 10 != 0) text += {'.', static_cast<char>('0' + count % 10)};
    text += "s";
  }
}

void append_key(std::string& text, std::string_view key) {
  if (!key.empty() && std::all_of(key.begin(), key.end(), is_plain)) {
    text += key;
  } else {
    append_json_string(text, key);
  }
}

void append_text(std::string& text, const Decision& decision) {
  if (decision.allowed) {
    text += "allowed remaining=";
    append_number(text, decision.remaining);
  } else {
    text += "denied retry_after=";
    append_duration(text, decision.retry_after);
  }
}

void append_text(std::string& text, std::span<const Take> takes, const Verdict& verdict) {
  append_text(text, verdict.bound());
  text += " key=";
  append_key(text, takes[verdict.binding].key);
}

}  // namespace tidegate::cli
