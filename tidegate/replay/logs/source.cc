#include "tidegate/replay/logs/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace tidegate::replay {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{256} * 1024;
constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";

// A descriptor, and the bytes of it that were read and not yet taken.
class File {
 public:
  File(int fd, std::string name) : fd_{fd}, name_{std::move(name)}, block_(kBlockBytes) {}
  ~File() {
    if (fd_ != STDIN_FILENO) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // What is next, at least so many bytes of it unless the file ends before.
  Expected<std::string_view> peek(std::size_t least) {
    while (end_ - begin_ < least && !ended_) {
      if (begin_ > 0) std::memmove(block_.data(), block_.data() + begin_, end_ - begin_);
      end_ -= std::exchange(begin_, 0);
      const Expected<std::size_t> more = read(block_.data() + end_, block_.size() - end_);
      if (!more) return tl::unexpected{more.error()};
      end_ += *more;
    }
    return std::string_view{block_.data() + begin_, end_ - begin_};
  }
  void take(std::size_t bytes) { begin_ += bytes; }

  Expected<std::size_t> read(char* into, std::size_t room) {
    ssize_t size = 0;
    while ((size = ::read(fd_, into, room)) < 0 && errno == EINTR) {
    }
    if (size < 0) return error(name_, std::strerror(errno));
    ended_ = size == 0;
    bytes_read_ += static_cast<std::uint64_t>(size);
    return static_cast<std::size_t>(size);
  }

  std::uint64_t bytes_read() const { return bytes_read_; }
  const std::string& name() const { return name_; }

 private:
  const int fd_;
  const std::string name_;
  std::vector<char> block_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool ended_ = false;
  std::uint64_t bytes_read_ = 0;
};

class Plain final : public Source {
 public:
  explicit Plain(std::unique_ptr<File> file) : file_{std::move(file)} {}

  Expected<std::size_t> read(char* into, std::size_t room) override {
    const Expected<std::string_view> kept = file_->peek(0);
    if (!kept || kept->empty())
      return kept ? file_->read(into, room) : tl::unexpected{kept.error()};
    const std::size_t size = std::min(room, kept->size());
    std::memcpy(into, kept->data(), size);
    file_->take(size);
    return size;
  }
  std::uint64_t bytes_read() const override { return file_->bytes_read(); }

 private:
  const std::unique_ptr<File> file_;
};

// What unpackers share: they are fed until they give something. Both libraries leave a byte of
// their input while they have more to give, so the end of the input is the end.
class Packed : public Source {
 public:
  explicit Packed(std::unique_ptr<File> file) : file_{std::move(file)} {}

  Expected<std::size_t> read(char* into, std::size_t room) override {
    for (;;) {
      const Expected<std::string_view> in = file_->peek(1);
      if (!in) return tl::unexpected{in.error()};
      if (in->empty()) {
        if (between_members()) return std::size_t{0};
        return error(file_->name(), "it ends before what is packed in it does");
      }
      const Expected<Step> step = unpack(*in, into, room);
      if (!step) return tl::unexpected{step.error()};
      file_->take(step->taken);
      if (step->given > 0) return step->given;
    }
  }
  std::uint64_t bytes_read() const override { return file_->bytes_read(); }

 protected:
  struct Step {
    std::size_t taken;
    std::size_t given;
  };
  virtual Expected<Step> unpack(std::string_view in, char* into, std::size_t room) = 0;
  virtual bool between_members() const = 0;

  Error broken(std::string_view what) const { return {file_->name(), std::string{what}}; }

 private:
  const std::unique_ptr<File> file_;
};

class Gzip final : public Packed {
 public:
  explicit Gzip(std::unique_ptr<File> file) : Packed{std::move(file)} {
    constexpr int kGzipWindow = 15 + 16;
    inflateInit2(&stream_, kGzipWindow);
  }
  ~Gzip() override { inflateEnd(&stream_); }

 private:
  Expected<Step> unpack(std::string_view in, char* into, std::size_t room) override {
    if (ended_ && !in.starts_with(kGzip.front())) return Step{in.size(), 0};  // padding
    if (ended_) inflateReset(&stream_);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(into);
    stream_.avail_out = static_cast<uInt>(room);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    ended_ = result == Z_STREAM_END;
    if (result != Z_OK && !ended_ && result != Z_BUF_ERROR)
      return tl::unexpected{broken("what is packed in it is broken (gzip)")};
    return Step{in.size() - stream_.avail_in, room - stream_.avail_out};
  }
  bool between_members() const override { return ended_; }

  z_stream stream_{};
  bool ended_ = false;
};

class Zstd final : public Packed {
 public:
  explicit Zstd(std::unique_ptr<File> file)
      : Packed{std::move(file)}, stream_{ZSTD_createDStream(), ZSTD_freeDStream} {}

 private:
  Expected<Step> unpack(std::string_view in, char* into, std::size_t room) override {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{into, room, 0};
    const std::size_t left = ZSTD_decompressStream(stream_.get(), &to, &from);
    if (ZSTD_isError(left) != 0)
      return tl::unexpected{broken("what is packed in it is broken (zstd)")};
    ended_ = left == 0;
    return Step{from.pos, to.pos};
  }
  bool between_members() const override { return ended_; }

  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  bool ended_ = false;
};

}  // namespace

Expected<std::unique_ptr<Source>> open_source(const std::string& name) {
  const int fd = name == "-" ? STDIN_FILENO : open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return error(name, std::strerror(errno));
  auto file = std::make_unique<File>(fd, name == "-" ? "standard input" : name);
  const Expected<std::string_view> first = file->peek(kZstd.size());
  if (!first) return tl::unexpected{first.error()};
  if (first->starts_with(kGzip)) return std::make_unique<Gzip>(std::move(file));
  if (first->starts_with(kZstd)) return std::make_unique<Zstd>(std::move(file));
  return std::make_unique<Plain>(std::move(file));
}

std::uint64_t size_of(const std::string& name) {
  struct stat about {};
  const bool known = name != "-" && stat(name.c_str(), &about) == 0 && S_ISREG(about.st_mode);
  return known ? static_cast<std::uint64_t>(about.st_size) : 0;
}

}  // namespace tidegate::replay
