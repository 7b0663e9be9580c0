#include "tidegate/cli/io.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tidegate::cli {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{64} * 1024;

// Whether a call that failed is worth another try. Descriptors may be non-blocking without our
// doing: a terminal shares that flag with every process that has it open.
bool may_retry(int fd, short event) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  pollfd ready{.fd = fd, .events = event, .revents = 0};
  ::poll(&ready, 1, -1);
  return true;
}

}  // namespace

Output::Output(int fd) : fd_{fd} {
  buffer_.reserve(kBufferBytes);
}

void Output::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (open_) buffer_ += bytes;
}

void Output::flush() {
  std::string_view rest = buffer_;
  while (open_ && !rest.empty()) open_ = write_some(rest);
  buffer_.clear();
}

bool Output::write_some(std::string_view& rest) {
  const ssize_t written = ::write(fd_, rest.data(), rest.size());
  if (written >= 0) {
    rest.remove_prefix(static_cast<std::size_t>(written));
    return true;
  }
  if (may_retry(fd_, POLLOUT)) return true;
  if (errno != EPIPE) error_ = errno;
  return false;
}

LineReader::LineReader(int fd, std::size_t longest, Output& flushed)
    : fd_{fd}, longest_{longest}, flushed_{flushed}, buffer_(longest + 1 + kBufferBytes) {}

std::optional<Line> LineReader::next() {
  while (true) {
    const char* const start = buffer_.data() + begin_;
    const std::size_t size = end_ - begin_;
    if (const void* newline = std::memchr(start, '\n', size))
      return take_line(static_cast<std::size_t>(static_cast<const char*>(newline) - start), 1);
    if (ended_) break;
    if (size > longest_) {
      dropped_ += size;
      begin_ = end_;
    }
    fill();
  }
  if (begin_ == end_ && dropped_ == 0) return std::nullopt;
  return take_line(end_ - begin_, 0);
}

Line LineReader::take_line(std::size_t length, std::size_t newline) {
  const Line line{
      .text = {buffer_.data() + begin_, length}, .number = ++number_, .length = dropped_ + length};
  begin_ += length + newline;
  dropped_ = 0;
  return line;
}

void LineReader::fill() {
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  flushed_.flush();
  ssize_t got = 0;
  do {
    got = ::read(fd_, buffer_.data() + end_, buffer_.size() - end_);
  } while (got < 0 && may_retry(fd_, POLLIN));
  if (got < 0) error_ = errno;
  if (got <= 0) ended_ = true;
  if (got > 0) end_ += static_cast<std::size_t>(got);
}

void Io::complain(std::string_view message) {
  out.flush();
  err.write(message);
  err.write("\n");
  err.flush();
}

}  // namespace tidegate::cli
