// A program started by a benchmark, and ended with it: what it says, and the processor time that it
// has used.
//
// Thread safety: none.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/harness.h"

namespace tidegate::bench {

// All that a program prints; ends the benchmark when the program fails.
inline std::string output_of(const std::string& command) {
  std::string output;
  std::FILE* const pipe = popen(command.c_str(), "r");
  char bytes[4096];
  while (pipe != nullptr && std::fgets(bytes, sizeof bytes, pipe) != nullptr) output += bytes;
  if (pipe == nullptr || pclose(pipe) != 0) {
    std::fprintf(stderr, "failed: %s\n%s", command.c_str(), output.c_str());
    std::exit(1);
  }
  return output;
}

class Process {
 public:
  explicit Process(std::vector<std::string> words) {
    posix_spawn_file_actions_t silent;
    posix_spawn_file_actions_init(&silent);
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&silent, fd, "/dev/null", O_WRONLY, 0);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    if (posix_spawnp(&pid_, argv[0], &silent, nullptr, argv.data(), environ) != 0) {
      std::fprintf(stderr, "cannot start %s\n", argv[0]);
      std::exit(1);
    }
    posix_spawn_file_actions_destroy(&silent);
    clock_getcpuclockid(pid_, &clock_);
  }
  ~Process() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Of all its threads, user and system.
  double cpu_seconds() const { return seconds(clock_); }

 private:
  pid_t pid_ = 0;
  clockid_t clock_{};
};

}  // namespace tidegate::bench
