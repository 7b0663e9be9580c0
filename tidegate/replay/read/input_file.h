// An open file to read from front to end, with a look at its first bytes.
//
// Thread safety: none. Cost: a system call a read.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tidegate/base/expected.h"
#include "tidegate/base/time.h"

namespace tidegate::replay {

class InputFile {
 public:
  // "-" is standard input.
  static Expected<std::unique_ptr<InputFile>> open(const std::string& path);

  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  // Its first bytes, fewer if it is shorter; before the first read.
  Expected<std::string_view> first_bytes();

  // 0 at the end.
  Expected<std::size_t> read(std::span<char> into);

  const std::string& path() const { return path_; }
  std::uint64_t position() const { return position_; }  // bytes given by read
  std::uint64_t size() const { return size_; }          // 0 if unknown
  Time changed() const { return changed_; }  // when it was written last; or the end of time

 private:
  InputFile(std::string path, int fd);
  Expected<std::size_t> read_fd(std::span<char> into) const;

  std::string path_;
  int fd_;
  std::uint64_t size_ = 0;
  std::uint64_t position_ = 0;
  Time changed_ = kEndOfTime;
  std::array<char, 4> first_{};
  std::size_t looked_ = 0;  // bytes of first_ that are not given by read yet
};

}  // namespace tidegate::replay
