// How long the functions of a C++ text are, found by matching braces on what is left when comments
// and literals are blanked. No compiler: it knows the shapes that this project is written in.
//
// Thread safety: pure functions. Cost: a few passes over the text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tidegate::house {

// The text with comments, preprocessor lines and the insides of literals made blanks: same size,
// same lines.
std::string code_alone(std::string_view text);

struct Function {
  std::size_t line;   // where its declaration begins, from 1
  std::size_t lines;  // up to its closing brace

  bool operator==(const Function&) const = default;
};

// The functions that have a name (or are a TEST), in order. Lambdas count as part of the function
// around them.
std::vector<Function> functions_of(std::string_view text);

}  // namespace tidegate::house
