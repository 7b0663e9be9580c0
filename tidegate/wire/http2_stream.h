// One stream of an HTTP/2 session: what came of its request's header, and what its reply still has
// to send.
//
// Plain values. Thread safety: none. Cost: a stream that is used again keeps the memory it has
// grown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/wire/http2.h"

namespace tidegate::http2 {

// A header's fields as one text and offsets, since the text moves while it grows.
class FieldList {
 public:
  void append(std::string_view name, std::string_view value);
  void clear();

  std::size_t size() const { return places_.size(); }
  std::size_t bytes() const { return text_.size(); }

  // Good until the list changes.
  Headers fields();

 private:
  struct Place {
    std::size_t name;
    std::size_t value;
    std::size_t end;
  };

  std::string text_;
  std::vector<Place> places_;
  std::vector<HeaderField> fields_;
};

struct Stream {
  StreamId id = 0;
  bool told = false;  // the handler knows of it
  FieldList headers;
  std::string body;       // of the reply, unsent
  std::size_t taken = 0;  // how much of it the session has
  bool started = false;
  bool finishing = false;  // trailers follow the body
  bool sated = false;      // wants no more of the request
  FieldList trailers;

  void clear();
};

}  // namespace tidegate::http2
