#include "tests/cli/child.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace tidegate::test {
namespace {

struct Pipe {
  int reader = -1;
  int writer = -1;
};

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error{"no pipe"};
  return {ends[0], ends[1]};
}

void close_end(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

// What a child gets as one of its descriptors; an end of a pipe is closed here afterwards.
class Actions {
 public:
  Actions() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  ~Actions() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  void give(int fd, int as) {
    if (fd == kClosed) {
      posix_spawn_file_actions_addclose(&actions_, as);
    } else {
      posix_spawn_file_actions_adddup2(&actions_, fd, as);
    }
  }

  int spawn(std::vector<std::string>& words) {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    int pid = 0;
    if (posix_spawn(&pid, TIDEGATE_BINARY, &actions_, &attributes_, argv.data(), environ) != 0)
      throw std::runtime_error{"cannot start " TIDEGATE_BINARY};
    return pid;
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace

Child::Child(std::vector<std::string> words, int in, int out) {
  signal(SIGPIPE, SIG_IGN);  // here; the child gets it back
  words.insert(words.begin(), "tidegate");
  Pipe in_pipe = in == kPipe ? make_pipe() : Pipe{.reader = in};
  Pipe out_pipe = out == kPipe ? make_pipe() : Pipe{.writer = out};
  Pipe err_pipe = make_pipe();
  Actions actions;
  actions.give(in_pipe.reader, STDIN_FILENO);
  actions.give(out_pipe.writer, STDOUT_FILENO);
  actions.give(err_pipe.writer, STDERR_FILENO);
  pid_ = actions.spawn(words);
  pidfd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (in == kPipe) close_end(in_pipe.reader);
  if (out == kPipe) close_end(out_pipe.writer);
  close_end(err_pipe.writer);
  in_ = in_pipe.writer;
  out_ = out_pipe.reader;
  err_ = err_pipe.reader;
}

Child::~Child() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  for (int* fd : {&pidfd_, &in_, &out_, &err_}) close_end(*fd);
}

void Child::write(std::string_view bytes) const {
  ASSERT_EQ(::write(in_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
}

void Child::close_input() {
  close_end(in_);
}

void Child::close_output() {
  close_end(out_);
}

bool Child::wait_for(int fd) const {
  pollfd ready{.fd = fd, .events = POLLIN, .revents = 0};
  const auto patience = std::chrono::milliseconds{kPatience}.count();
  return poll(&ready, 1, static_cast<int>(patience)) == 1;
}

// False at the end, and when patience is.
bool Child::read_more(int fd, std::string& into) const {
  if (fd < 0) return false;
  if (!wait_for(fd)) {
    ADD_FAILURE() << "no answer and no end within " << kPatience.count() << " s";
    return false;
  }
  char bytes[65536];
  const ssize_t got = read(fd, bytes, sizeof bytes);
  if (got > 0) into.append(bytes, static_cast<std::size_t>(got));
  return got > 0;
}

std::string Child::read_line() {
  while (unread_.find('\n') == std::string::npos && read_more(out_, unread_)) {
  }
  const std::size_t end = unread_.find('\n');
  if (end == std::string::npos) {
    ADD_FAILURE() << "no line, but \"" << unread_ << "\"";
    return {};
  }
  std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return line;
}

Ended Child::finish() {
  close_input();
  while (read_more(out_, unread_)) {
  }
  while (read_more(err_, complaints_)) {
  }
  const int code = wait_for_exit();
  pid_ = 0;
  return {code, unread_, complaints_};
}

int Child::wait_for_exit() const {
  if (!wait_for(pidfd_)) {
    ADD_FAILURE() << "still running after " << kPatience.count() << " s";
    kill(pid_, SIGKILL);
  }
  int status = 0;
  waitpid(pid_, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace tidegate::test
