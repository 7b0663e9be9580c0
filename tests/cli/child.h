// The binary as a process of its own, with pipes to its streams and a deadline on all that waits.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/in_process.h"

namespace tidegate::test {

// Instead of a descriptor: a pipe to the test, or nothing open at all.
inline constexpr int kPipe = -1;
inline constexpr int kClosed = -2;

// Whatever a child is waited for takes no longer than this, or it is killed and the test fails.
inline constexpr std::chrono::seconds kPatience{30};

class Child {
 public:
  // Starts TIDEGATE_BINARY with these arguments, and SIGPIPE as a shell leaves it.
  explicit Child(std::vector<std::string> words, int in = kPipe, int out = kPipe);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void write(std::string_view bytes) const;
  void close_input();
  void close_output();

  // The next line it prints, without its newline.
  std::string read_line();

  // Reads what is left, waits for the end. The code of a signal is 128 + its number.
  Ended finish();

 private:
  bool wait_for(int fd) const;
  bool read_more(int fd, std::string& into) const;
  int wait_for_exit() const;

  int pid_ = 0;
  int pidfd_ = -1;
  int in_ = -1;
  int out_ = -1;
  int err_ = -1;
  std::string unread_;
  std::string complaints_;
};

inline Ended run_binary(std::vector<std::string> words, int in = kPipe, int out = kPipe) {
  return Child{std::move(words), in, out}.finish();
}

}  // namespace tidegate::test
