// What forms share whose lines are cut into a fixed list of columns.
//
// Thread safety: none. Cost: a look at each column up to the last that is wanted.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/base/expected.h"
#include "tidegate/replay/logs/form.h"

namespace tidegate::replay {

// Where each wanted value comes from.
struct Pick {
  std::size_t column;
  Shape shape;
};

// An error for a name that is none of the fields: it lists those there are.
Expected<std::vector<Pick>> picks_of(std::span<const FieldOf> fields,
                                     const std::vector<std::string>& wanted, std::string_view form);

inline void give(const std::vector<Pick>& picks, std::span<const std::string_view> columns,
                 std::span<std::string_view> values) {
  for (std::size_t i = 0; i < picks.size(); ++i)
    values[i] = shaped(picks[i].shape, columns[picks[i].column]);
}

std::vector<std::string> names_of(std::span<const FieldOf> fields);

// Takes a word, up to a blank, and the blank; a part in double quotes, with \" within and
// quotes that nobody escaped, since one ends it only before a blank or the end; a part in brackets.
// False when it does not begin or end so.
bool take_word(std::string_view& rest, std::string_view& word);
bool take_quoted(std::string_view& rest, std::string_view& word);
bool take_bracketed(std::string_view& rest, std::string_view& word);

// Whether the byte at this place stands behind a backslash that is not itself escaped.
bool is_escaped(std::string_view text, std::size_t at);

}  // namespace tidegate::replay
