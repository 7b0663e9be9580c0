// The lines of a source, one after another.
//
// Lines end with \n or \r\n, the last one also without. Thread safety: none. Cost: memchr, and 256
// KiB of memory, or up to kMaxLine when a line is that long.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "tidegate/replay/read/source.h"

namespace tidegate::replay {

// Far above what any server writes; a file without line ends must not fill the memory.
inline constexpr std::size_t kMaxLine = 1 << 20;

class Lines {
 public:
  explicit Lines(std::unique_ptr<Source> source);

  // False at the end, and when the source broke off. The view lives until the next call.
  bool next(std::string_view& line) {
    const void* newline = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
    if (newline == nullptr) return next_after_refill(line);
    line = line_up_to(static_cast<const char*>(newline));
    at_ = static_cast<const char*>(newline) + 1;
    return true;
  }

  // Whether the line just given is but the first kMaxLine bytes of one.
  bool was_too_long() const { return too_long_; }

  const std::optional<Error>& failure() const { return failure_; }

  // What next will give first, as far as one block holds it, to tell its form by.
  std::string_view look_ahead();

  const Source& source() const { return *source_; }

 private:
  std::string_view line_up_to(const char* newline) const {
    auto size = static_cast<std::size_t>(newline - at_);
    if (size > 0 && at_[size - 1] == '\r') --size;
    return {at_, size};
  }
  bool next_after_refill(std::string_view& line);
  bool refill();
  void skip_line();

  std::unique_ptr<Source> source_;
  std::vector<char> block_;
  const char* at_;   // the next line
  const char* end_;  // of what was read
  bool too_long_ = false;
  std::optional<Error> failure_;
};

}  // namespace tidegate::replay
