// A value with `*` in it, each for zero or more bytes.
//
// Thread safety: immutable. Cost of a match: one search for each text between two stars.
#pragma once

#include <string_view>
#include <vector>

namespace tidegate::rules {

inline bool is_pattern(std::string_view value) {
  return value.find('*') != std::string_view::npos;
}

class Pattern {
 public:
  // Points into the text. Requires is_pattern(text).
  explicit Pattern(std::string_view text);

  bool matches(std::string_view value) const;

 private:
  std::string_view front_;  // before the first star
  std::vector<std::string_view> between_;
  std::string_view back_;  // behind the last one
};

}  // namespace tidegate::rules
