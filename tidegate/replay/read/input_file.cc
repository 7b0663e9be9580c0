#include "tidegate/replay/read/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tidegate::replay {
namespace {

Error failed(const std::string& path, const char* what) {
  return {path == "-" ? "standard input" : path, std::string{what} + ": " + std::strerror(errno)};
}

}  // namespace

InputFile::InputFile(std::string path, int fd) : path_{std::move(path)}, fd_{fd} {
  struct stat status {};
  if (fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode)) return;
  size_ = static_cast<std::uint64_t>(status.st_size);
  changed_ = Time{std::chrono::seconds{std::max<std::time_t>(0, status.st_mtime)}};
}

InputFile::~InputFile() {
  if (fd_ != STDIN_FILENO) close(fd_);
}

Expected<std::unique_ptr<InputFile>> InputFile::open(const std::string& path) {
  const int fd = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return tl::unexpected{failed(path, "cannot be opened")};
  return std::unique_ptr<InputFile>{new InputFile{path, fd}};
}

Expected<std::size_t> InputFile::read_fd(std::span<char> into) const {
  ssize_t count = 0;
  do {
    count = ::read(fd_, into.data(), into.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) return tl::unexpected{failed(path_, "cannot be read")};
  return static_cast<std::size_t>(count);
}

Expected<std::string_view> InputFile::first_bytes() {
  while (looked_ < first_.size()) {
    const auto count = read_fd(std::span{first_}.subspan(looked_));
    if (!count) return tl::unexpected{count.error()};
    if (*count == 0) break;
    looked_ += *count;
  }
  return std::string_view{first_.data(), looked_};
}

Expected<std::size_t> InputFile::read(std::span<char> into) {
  if (looked_ == 0) {
    const auto count = read_fd(into);
    if (count) position_ += *count;
    return count;
  }
  const std::size_t count = std::min(looked_, into.size());
  std::memcpy(into.data(), first_.data(), count);
  std::memmove(first_.data(), first_.data() + count, first_.size() - count);
  looked_ -= count;
  position_ += count;
  return count;
}

}  // namespace tidegate::replay
