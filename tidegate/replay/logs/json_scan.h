// Walks a JSON text once, front to back, without building anything from it.
//
// For one line of a log: values that nobody wants are stepped over, those that somebody wants are
// views. Accepts every JSON text and some that are a little wrong (what a bare word is, it does not
// check), never reads beyond it, and refuses one that is cut short. Thread safety: none. Cost: a
// look at each byte, strings at the speed of memchr.
#pragma once

#include <string>
#include <string_view>

namespace tidegate::replay {

class JsonScan {
 public:
  explicit JsonScan(std::string_view text) : text_{text} {}

  // Of the byte that comes next, after blanks; '\0' at the end.
  char peek();

  // Steps over this byte, if it is the next.
  bool take(char c);

  // A string, with its escapes as they stand; false if none is here.
  bool string(std::string_view& raw);

  // A value: of a string its bytes, else the text as it stands. False if it is none or is cut off.
  bool value(std::string_view& raw);
  bool skip() {
    std::string_view raw;
    return value(raw);
  }

  bool at_end() { return peek() == '\0' && at_ >= text_.size(); }

 private:
  bool skip_nest();

  std::string_view text_;
  std::size_t at_ = 0;
};

// A string without its escapes; `scratch` holds it if there were any.
std::string_view unescaped(std::string_view raw, std::string& scratch);

}  // namespace tidegate::replay
