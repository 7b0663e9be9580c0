// Words of a line, some of them in quotes, as servers write them and as they break.
//
// Within quotes a backslash keeps the next byte from ending them. Servers that do not escape leave
// quotes inside; so a quote ends a word only where what must follow a word follows. Never refuses
// anything: what cannot be told apart stays in one word. Views into the line; values, not shared.
// Cost: a look at each byte, twice at most.
#pragma once

#include <string_view>

namespace tidegate::replay {

class QuotedWords {
 public:
  // With `doubled`, all of the line was in quotes, and those within are written twice.
  explicit QuotedWords(std::string_view text, bool doubled = false)
      : text_{text}, quote_{doubled ? "\"\"" : "\""} {}

  // The next word, without its quotes; "" once there is no more.
  std::string_view next();

  // A quoted request: it ends at the quote that a status follows, if there is such a one.
  std::string_view next_request();

  bool at_end() const { return text_.empty(); }

 private:
  using Follows = bool (*)(std::string_view rest);
  std::size_t find_end(Follows follows) const;
  std::string_view cut(std::size_t end);

  std::string_view text_;  // of a quoted word while it is looked at: what follows the quote
  std::string_view quote_;
};

}  // namespace tidegate::replay
