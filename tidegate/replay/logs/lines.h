// Splits a source into lines: \n and \r\n end them, and so does the end of the source.
//
// Thread safety: none. Cost: a memchr a line; a line that a block cuts is moved once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/base/expected.h"
#include "tidegate/replay/logs/source.h"

namespace tidegate::replay {

class Lines {
 public:
  static constexpr std::size_t kLongest = std::size_t{1} << 20;

  explicit Lines(std::unique_ptr<Source> source);

  // The next line, valid until the next call; longer ones than kLongest are cut, and `cut` says so.
  // False at the end, and when the source broke off.
  bool next(std::string_view& line, bool& cut);
  // The first lines, as far as the first block holds them whole; they stay to be read.
  std::vector<std::string_view> first_lines(std::size_t most);

  const std::optional<Error>& failure() const { return failure_; }
  std::uint64_t bytes_read() const { return source_->bytes_read(); }

 private:
  bool fill();
  void skip_line();

  std::unique_ptr<Source> source_;
  std::vector<char> block_;
  std::size_t begin_ = 0;  // what was read and not yet taken: [begin_, end_)
  std::size_t end_ = 0;
  bool ended_ = false;
  bool in_cut_line_ = false;  // of which the front was given
  std::optional<Error> failure_;
};

}  // namespace tidegate::replay
