#include "tests/house/functions.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tidegate::house {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

// Walks over a text and blanks what is not code.
class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_{text} {}

  std::string run() {
    while (at_ < text_.size()) step();
    return std::move(text_);
  }

 private:
  void step() {
    if (here("//")) return blank_to(line_end());
    if (here("/*")) return blank_to(after("*/"));
    if (text_[at_] == '#' && begins_line()) return blank_to(directive_end());
    if (here("R\"") && !follows_word()) return blank_to(raw_end());
    if (text_[at_] == '"') return blank_to(literal_end('"'));
    if (text_[at_] == '\'' && !follows_word()) return blank_to(literal_end('\''));
    ++at_;
  }

  bool here(std::string_view what) const { return text_.compare(at_, what.size(), what) == 0; }
  bool follows_word() const { return at_ > 0 && is_word(text_[at_ - 1]); }

  bool begins_line() const {
    for (std::size_t i = at_; i > 0 && text_[i - 1] != '\n'; --i)
      if (!is_space(text_[i - 1])) return false;
    return true;
  }

  std::size_t line_end() const { return std::min(text_.find('\n', at_), text_.size()); }

  std::size_t after(std::string_view end) const {
    const std::size_t found = text_.find(end, at_ + 2);
    return found == std::string::npos ? text_.size() : found + end.size();
  }

  std::size_t directive_end() const {
    std::size_t end = line_end();
    while (end < text_.size() && text_[end - 1] == '\\')
      end = std::min(text_.find('\n', end + 1), text_.size());
    return end;
  }

  std::size_t raw_end() const {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string::npos) return text_.size();
    return after(")" + text_.substr(at_ + 2, open - at_ - 2) + "\"");
  }

  std::size_t literal_end(char quote) const {
    std::size_t i = at_ + 1;
    while (i < text_.size() && text_[i] != quote && text_[i] != '\n') i += text_[i] == '\\' ? 2 : 1;
    return std::min(i + 1, text_.size());
  }

  void blank_to(std::size_t end) {
    for (; at_ < end; ++at_)
      if (text_[at_] != '\n') text_[at_] = ' ';
  }

  std::string text_;
  std::size_t at_ = 0;
};

std::size_t access_label(std::string_view head) {
  for (const std::string_view label : {"public:", "private:", "protected:"})
    if (head.starts_with(label)) return label.size();
  return 0;
}

// The length of the `<...>` that comes first in the text, and of what is before it.
std::size_t angles_end(std::string_view text) {
  int depth = 0;
  for (std::size_t i = text.find('<'); i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return text.size();
}

// The head without the `template <...>` before it.
std::string_view without_template(std::string_view head) {
  while (head.starts_with("template")) {
    head.remove_prefix(angles_end(head));
    while (!head.empty() && is_space(head.front())) head.remove_prefix(1);
  }
  return head;
}

std::string_view first_word(std::string_view head) {
  const auto* end = std::find_if_not(head.begin(), head.end(), is_word);
  return head.substr(0, static_cast<std::size_t>(end - head.begin()));
}

// An `=` outside of parentheses, as a variable with a value has.
bool assigns(std::string_view head) {
  if (head.find("operator") != std::string_view::npos) return false;
  int depth = 0;
  for (const char c : head) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == '=' && depth == 0) return true;
  }
  return false;
}

// Whether what stands before a brace declares a function.
bool declares_function(std::string_view head) {
  constexpr std::array<std::string_view, 5> kTypes = {"namespace", "class", "struct", "union",
                                                      "enum"};
  if (head.find(')') == std::string_view::npos) return false;
  return std::find(kTypes.begin(), kTypes.end(), first_word(head)) == kTypes.end();
}

// Walks over code and finds functions; inside of one it only counts braces.
class FunctionFinder {
 public:
  explicit FunctionFinder(std::string_view text) : code_{code_alone(text)} {}

  std::vector<Function> run() {
    for (; at_ < code_.size(); ++at_) step(code_[at_]);
    return std::move(found_);
  }

 private:
  void step(char c) {
    if (c == '(') ++parentheses_;
    if (c == ')') --parentheses_;
    if (parentheses_ > 0) return;
    if (c == '{') open();
    if (c == ';' || c == '}') head_ = at_ + 1;
  }

  void open() {
    const std::size_t begin = head_begin();
    const std::string_view head =
        without_template(std::string_view{code_}.substr(begin, at_ - begin));
    const bool value = assigns(head);
    const bool function = !value && declares_function(head);
    if (value || function) at_ = closing();
    if (function && goes_on()) return;  // that was a member's initializer; the body is to come
    if (function) found_.push_back({line_of(begin), line_of(at_) - line_of(begin) + 1});
    head_ = at_ + 1;  // behind what was skipped, or inside a namespace or type
  }

  std::size_t head_begin() const {
    std::size_t begin = first_code(head_);
    while (const std::size_t label = access_label(std::string_view{code_}.substr(begin)))
      begin = first_code(begin + label);
    return begin;
  }

  // After `a_{1}` in a constructor's list comes a comma or the body.
  bool goes_on() const {
    const std::size_t next = first_code(at_ + 1);
    return next < code_.size() && (code_[next] == ',' || code_[next] == '{');
  }

  std::size_t first_code(std::size_t from) const {
    while (from < code_.size() && is_space(code_[from])) ++from;
    return from;
  }

  std::size_t closing() const {
    int depth = 0;
    for (std::size_t i = at_; i < code_.size(); ++i) {
      depth += code_[i] == '{' ? 1 : code_[i] == '}' ? -1 : 0;
      if (depth == 0) return i;
    }
    return code_.size() - 1;
  }

  std::size_t line_of(std::size_t at) const {
    const auto end = code_.begin() + static_cast<std::ptrdiff_t>(at);
    return 1 + static_cast<std::size_t>(std::count(code_.begin(), end, '\n'));
  }

  std::string code_;
  std::vector<Function> found_;
  std::size_t at_ = 0;
  std::size_t head_ = 0;  // behind the last `;`, `{` or `}`
  int parentheses_ = 0;
};

}  // namespace

std::string code_alone(std::string_view text) {
  return Blanker{text}.run();
}

std::vector<Function> functions_of(std::string_view text) {
  return FunctionFinder{text}.run();
}

}  // namespace tidegate::house
