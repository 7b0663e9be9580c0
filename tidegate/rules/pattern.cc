#include "tidegate/rules/pattern.h"

namespace tidegate::rules {

Pattern::Pattern(std::string_view text) {
  std::size_t star = text.find('*');
  front_ = text.substr(0, star);
  while (true) {
    text.remove_prefix(star + 1);
    star = text.find('*');
    if (star == std::string_view::npos) break;
    if (star > 0) between_.push_back(text.substr(0, star));
  }
  back_ = text;
}

bool Pattern::matches(std::string_view value) const {
  if (value.size() < front_.size() + back_.size()) return false;
  if (!value.starts_with(front_) || !value.ends_with(back_)) return false;
  value.remove_prefix(front_.size());
  value.remove_suffix(back_.size());
  for (const std::string_view text : between_) {
    // The first place is as good as any: it leaves the most for the texts that follow.
    const std::size_t at = value.find(text);
    if (at == std::string_view::npos) return false;
    value.remove_prefix(at + text.size());
  }
  return true;
}

}  // namespace tidegate::rules
