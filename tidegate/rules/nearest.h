// The word that was probably meant.
//
// Pure. Cost: length times length for each known word; texts longer than any known word by half are
// not compared.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tidegate::rules {

// The known word that takes the fewest edits (a letter more, less, changed, or two swapped), when
// these are at most a third of its letters, or that begins with it; empty otherwise. Case and `-`
// for
// `_` cost nothing.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

// `expected one of: a, b, c`, and the nearest one when there is one.
std::string expected_one_of(std::string_view word, std::span<const std::string_view> known);

}  // namespace tidegate::rules
