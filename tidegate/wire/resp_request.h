// RESP requests, both ways: a server reads them as they arrive, a client writes them. An array of
// bulk strings, or a line of words for a person at a terminal (the Redis serialization protocol).
//
//   reader.feed(bytes);
//   while (reader.next() == RequestReader::Next::kRequest) answer(reader.arguments());
//
// Thread safety: none; a reader belongs to one connection. Cost: O(bytes), whatever pieces they
// come in; arguments that lie whole in what was fed are not copied. Allocates only as bytes arrive,
// whatever lengths are announced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/wire/input.h"

namespace tidegate::resp {

struct RequestBounds {
  std::size_t arguments = 1024;                   // of one request
  std::size_t bulk = std::size_t{128} * 1024;     // bytes of one argument
  std::size_t request = std::size_t{512} * 1024;  // bytes of a whole request
  std::size_t line = std::size_t{64} * 1024;      // bytes of a request in one line
};

class RequestReader {
 public:
  explicit RequestReader(const RequestBounds& bounds = {}) : bounds_{bounds} {}

  // Requires that `next` has answered kMore or kError, or `pause`. The bytes, and the arguments
  // read from them, must live until that is so again.
  void feed(std::string_view bytes) { input_.feed(bytes); }

  // Keeps the requests that were fed and not yet read. The arguments are gone.
  void pause() { input_.keep(); }

  // What comes next. Requests without arguments are passed over, as Redis does. After an error
  // there is no telling where the next request begins: nothing more is read.
  enum class Next { kMore, kRequest, kError };
  Next next();

  std::span<const std::string_view> arguments() const { return arguments_; }
  const std::string& error() const { return error_; }  // `Protocol error: ...`

 private:
  struct Place {  // of an argument: offsets in the request, which may move until it is whole
    std::size_t begin;
    std::size_t size;
  };
  enum class Step { kDone, kMore, kError };

  Step read_array();
  Step read_bulk();
  Step read_line();
  Step read_number(std::string_view what, std::int64_t highest, std::int64_t& number);
  Step fail(std::string problem);
  bool split_words(std::string_view line);
  void finish(std::size_t bytes);

  const RequestBounds bounds_;
  Input input_;
  std::size_t at_ = 0;               // how much of input_.rest() has been looked at
  std::int64_t arguments_left_ = 0;  // of the array under way
  std::int64_t bulk_size_ = -1;      // of the argument under way; -1: its length is still to come
  std::vector<Place> places_;
  std::vector<std::string_view> arguments_;
  std::string words_;  // of a line, without quotes
  std::string error_;
};

// Appends a request.
void append_request(std::string& out, std::span<const std::string_view> arguments);

}  // namespace tidegate::resp
