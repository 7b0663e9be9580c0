// Bytes out of and into the process: write(2) and read(2), each with a buffer.
//
// What is written reaches the reader at a flush; whoever is about to wait flushes first, so that a
// terminal or a slow pipe sees each answer at once while bulk input stays fast.
// A reader that has left (EPIPE) is no error: the output closes and drops what follows. That needs
// SIGPIPE ignored, which is for main to do.
// Thread safety: none; one thread each. Cost: a system call per 64 KiB, or per flush.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidegate::cli {

class Output {
 public:
  explicit Output(int fd);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view bytes);
  void flush();

  bool is_open() const { return open_; }
  int error() const { return error_; }  // errno of the write that failed, 0 when none did

 private:
  bool write_some(std::string_view& rest);

  int fd_;
  int error_ = 0;
  bool open_ = true;
  std::string buffer_;
};

struct Line {
  std::string_view text;     // without its newline; valid until the next call; void when too long
  std::uint64_t number = 0;  // from 1
  std::uint64_t length = 0;
};

// Splits what a descriptor yields at newlines, and at nothing else: keys are bytes. The last line
// needs no newline.
class LineReader {
 public:
  // Longer lines are counted, not kept. `flushed` is flushed before every wait for more input.
  LineReader(int fd, std::size_t longest, Output& flushed);
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // The next line, or nothing at the end and after an error.
  std::optional<Line> next();

  int error() const { return error_; }  // errno of the read that failed, 0 when none did

 private:
  Line take_line(std::size_t length, std::size_t newline);
  void fill();

  int fd_;
  std::size_t longest_;
  Output& flushed_;
  int error_ = 0;
  bool ended_ = false;
  std::uint64_t number_ = 0;
  std::uint64_t dropped_ = 0;  // bytes of the present line that are no longer in the buffer
  std::size_t begin_ = 0;      // what was read and not yet taken: [begin_, end_)
  std::size_t end_ = 0;
  std::vector<char> buffer_;
};

// A command's three streams.
struct Io {
  Io(int in_fd, int out_fd, int err_fd) : in{in_fd}, out{out_fd}, err{err_fd} {}

  // Says on `err`, after what `out` already holds, what went wrong.
  void complain(std::string_view message);

  int in;
  Output out;
  Output err;
};

}  // namespace tidegate::cli
