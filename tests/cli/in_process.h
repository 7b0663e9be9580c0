// The command line inside the test's own process: virtual time, files in memory for its streams.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "tidegate/base/clock.h"
#include "tidegate/cli/command_line.h"
#include "tidegate/cli/take.h"
#include "tidegate/limiter.h"
#include "tidegate/store/memory/memory_store.h"

namespace tidegate::test {

// A file without a name, in memory.
class MemoryFile {
 public:
  MemoryFile() : fd_{memfd_create("test", MFD_CLOEXEC)} {}
  explicit MemoryFile(std::string_view bytes) : MemoryFile() {
    for (std::string_view rest = bytes; !rest.empty();)
      rest.remove_prefix(static_cast<std::size_t>(::write(fd_, rest.data(), rest.size())));
    lseek(fd_, 0, SEEK_SET);
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int fd() const { return fd_; }
  std::string bytes() const {
    std::string all(static_cast<std::size_t>(lseek(fd_, 0, SEEK_END)), '\0');
    all.resize(static_cast<std::size_t>(pread(fd_, all.data(), all.size(), 0)));
    return all;
  }

 private:
  int fd_;
};

struct Ended {
  int code = -1;
  std::string out;
  std::string err;
};

inline Ended run_with(Limiter& limiter, const Clock& clock, std::vector<std::string> words,
                      std::string_view input = {}) {
  const MemoryFile in{input};
  const MemoryFile out;
  const MemoryFile err;
  cli::TakeCommand take{limiter, clock};
  cli::Io io{in.fd(), out.fd(), err.fd()};
  const int code = cli::run({.version = "1.2.3", .commands = {&take}}, std::move(words), io);
  return {code, out.bytes(), err.bytes()};
}

// One process: what its runs take stays taken.
struct Tool {
  ManualClock clock;
  MemoryStore store{{}, clock};
  Limiter limiter{store, clock};

  Ended run(std::vector<std::string> words, std::string_view input = {}) {
    return run_with(limiter, clock, std::move(words), input);
  }
};

}  // namespace tidegate::test
