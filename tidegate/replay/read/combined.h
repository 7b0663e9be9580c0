// The combined and the common form of nginx and Apache, and their kin:
//
//   client - user [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 2326 "referer" "agent" "more"
//
// A host may come first, several addresses may stand for the client, all of it may be in quotes. A
// line is a request when its addresses, ident, user and time are there and a request begins in
// quotes; what comes after may be cut off or badly quoted, then those fields are what can be told.
//
// Pure. Cost: 25 ns for the head of the usual line, a look at every byte for the rest.
#pragma once

#include <string_view>

#include "tidegate/replay/read/form.h"

namespace tidegate::replay {

struct CombinedHead {
  std::string_view host;       // a virtual host that stands first
  std::string_view addresses;  // "a", or "a, b, c"
  std::string_view ident;
  std::string_view user;
  std::string_view time;  // between the brackets
  std::string_view rest;  // from the quote of the request on
  bool doubled = false;   // all of the line is in quotes, those within are double

  bool operator==(const CombinedHead&) const = default;
};

// The head of the usual line, `client - - [26 bytes] "`; false for any other.
bool split_usual_head(std::string_view line, CombinedHead& head);

// The head of any line; what split_usual_head also takes comes out the same.
Problem split_head(std::string_view line, CombinedHead& head);

Form combined_form();

}  // namespace tidegate::replay
