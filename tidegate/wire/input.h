// The bytes of a stream that are still to be read: those just fed, where they lie, or a copy of
// what was left of those before.
//
//   input.feed(bytes);  while (read_one(input.rest())) input.consume(n);  input.keep();
//
// Thread safety: none. Cost: what is read whole is never copied; what is left is copied once, and
// once more for each time that the buffer grows. Allocates only as bytes arrive.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tidegate {

class Input {
 public:
  // Requires that `keep` was called since the last time. The bytes must live until it is again.
  void feed(std::string_view bytes) {
    if (rest_.empty()) {
      rest_ = bytes;
    } else {
      kept_.append(bytes);
      rest_ = kept_;
    }
  }

  std::string_view rest() const { return rest_; }
  void consume(std::size_t bytes) { rest_.remove_prefix(bytes); }

  // The bytes that were fed are going: what is left of them stays.
  void keep() {
    if (rest_.empty()) {
      if (kept_.capacity() > kIdleBytes) std::string{}.swap(kept_);  // a large request is over
      kept_.clear();
      rest_ = {};
    } else if (rest_.data() != kept_.data()) {
      kept_ = std::string{rest_};
      rest_ = kept_;
    }
  }

 private:
  static constexpr std::size_t kIdleBytes = std::size_t{16} * 1024;

  std::string kept_;
  std::string_view rest_;  // of kept_, or of the bytes fed
};

}  // namespace tidegate
