#include "tidegate/replay/logs/columns.h"

#include <algorithm>

#include "tidegate/base/quote.h"

namespace tidegate::replay {
namespace {

// Whether the quote at this place does.
bool ends_quotes(std::string_view text, std::size_t at) {
  const bool before_word = at + 1 == text.size() || text[at + 1] == ' ';
  return before_word && !is_escaped(text, at);
}

}  // namespace

Expected<std::vector<Pick>> picks_of(std::span<const FieldOf> fields,
                                     const std::vector<std::string>& wanted,
                                     std::string_view form) {
  std::vector<Pick> picks;
  for (const std::string& name : wanted) {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const FieldOf& field) { return field.name == name; });
    if (found == fields.end()) {
      std::string all;
      for (const FieldOf& field : fields)
        all += (all.empty() ? "" : ", ") + std::string{field.name};
      return error("field " + quoted(name),
                   "lines of the form " + std::string{form} + " have " + all);
    }
    picks.push_back({found->column, found->shape});
  }
  return picks;
}

std::vector<std::string> names_of(std::span<const FieldOf> fields) {
  std::vector<std::string> names;
  for (const FieldOf& field : fields) names.emplace_back(field.name);
  return names;
}

bool take_word(std::string_view& rest, std::string_view& word) {
  const std::size_t end = std::min(rest.find(' '), rest.size());
  word = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return !word.empty();
}

bool is_escaped(std::string_view text, std::size_t at) {
  std::size_t slashes = 0;
  while (slashes < at && text[at - 1 - slashes] == '\\') ++slashes;
  return slashes % 2 != 0;
}

bool take_quoted(std::string_view& rest, std::string_view& word) {
  if (!rest.starts_with('"')) return false;
  std::size_t end = rest.find('"', 1);
  while (end != std::string_view::npos && !ends_quotes(rest, end)) end = rest.find('"', end + 1);
  if (end == std::string_view::npos) return false;
  word = rest.substr(1, end - 1);
  rest.remove_prefix(std::min(end + 2, rest.size()));
  return true;
}

bool take_bracketed(std::string_view& rest, std::string_view& word) {
  const std::size_t end = rest.find(']');
  if (!rest.starts_with('[') || end == std::string_view::npos) return false;
  word = rest.substr(1, end - 1);
  rest.remove_prefix(std::min(end + 2, rest.size()));
  return true;
}

}  // namespace tidegate::replay
