// The parts of a log's values that fields are: a client's address without its port, the path out of
// "GET /a?b HTTP/1.1".
//
// Pure: a view in, a view of a part of it out. Cost: a look at each byte at most.
#pragma once

#include <string_view>

namespace tidegate::replay {

enum class Shape : unsigned char {
  kText,     // as it stands
  kAddress,  // the last of a list, without port and brackets: "a, [::1]:80" is ::1
  kFirst,    // the same of the first of a list
  kHost,     // a name without its port, of a URL too
  kWord,     // up to the first blank
  kPath,    // of a target, /a?b or http://host/a?b, what precedes the query; a request line will do
  kUri,     // path and query
  kQuery,   // what follows the question mark
  kMethod,  // of a request line, METHOD target HTTP/1.1, and so those below
  kProtocol,
  kRequestPath,
  kRequestUri,
  kRequestQuery,
  kRequestHost,
};

// "-", which is how logs write what is absent, becomes "", except where it stands for a client.
std::string_view shaped(Shape shape, std::string_view value);

}  // namespace tidegate::replay
