// Expected failures are values: Expected<T> holds a T or an Error that names the place.
// A denial is not an error.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace tidegate {

struct Error {
  std::string where;  // the input and the place in it: `limit "5/6x", column 4`
  std::string what;   // what is wrong there and what would be right

  std::string message() const { return where + ": " + what; }
  bool operator==(const Error&) const = default;
};

template <class T>
using Expected = tl::expected<T, Error>;

inline tl::unexpected<Error> error(std::string where, std::string what) {
  return tl::unexpected<Error>{Error{std::move(where), std::move(what)}};
}

}  // namespace tidegate
