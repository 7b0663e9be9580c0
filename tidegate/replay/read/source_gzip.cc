#define ZLIB_CONST
#include <zlib.h>

#include <vector>

#include "tidegate/replay/read/source.h"

namespace tidegate::replay {
namespace {

constexpr std::size_t kInput = 64 << 10;
constexpr int kGzipOnly = 16;  // added to the window's bits

// Members one after another are one text, as gzip has it; so logs are appended to.
class GzipSource : public Source {
 public:
  explicit GzipSource(std::unique_ptr<InputFile> opened)
      : Source{std::move(opened)}, input_(kInput) {
    ready_ = inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK;
  }
  ~GzipSource() override {
    if (ready_) inflateEnd(&stream_);
  }

  Expected<std::size_t> read(std::span<char> into) override {
    if (!ready_) return error(file().path(), "no memory to unpack it");
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(into.size());
    while (stream_.avail_out == into.size()) {
      if (auto more = need_input(); !more || !*more) return more.map([](bool) { return 0UL; });
      const int result = inflate(&stream_, Z_NO_FLUSH);
      within_ = result != Z_STREAM_END;
      if (result == Z_STREAM_END) inflateReset(&stream_);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        return broken(into.size() - stream_.avail_out);
    }
    return into.size() - stream_.avail_out;
  }

 private:
  // False at the end of the file.
  Expected<bool> need_input() {
    if (stream_.avail_in > 0) return true;
    const auto count = input().read(input_);
    if (!count) return tl::unexpected{count.error()};
    stream_.next_in = reinterpret_cast<const Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(*count);
    if (*count == 0 && within_) return error(file().path(), "ends within its gzip data: cut off?");
    return *count > 0;
  }

  // What was unpacked before the fault is given.
  Expected<std::size_t> broken(std::size_t unpacked) {
    if (unpacked > 0) return unpacked;
    return error(file().path(), std::string{"is no sound gzip data: "} +
                                    (stream_.msg != nullptr ? stream_.msg : "broken"));
  }

  z_stream stream_{};
  std::vector<char> input_;
  bool ready_ = false;
  bool within_ = true;  // a member
};

}  // namespace

std::unique_ptr<Source> make_gzip_source(std::unique_ptr<InputFile> file) {
  return std::make_unique<GzipSource>(std::move(file));
}

}  // namespace tidegate::replay
