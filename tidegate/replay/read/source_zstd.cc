#include <zstd.h>

#include <vector>

#include "tidegate/replay/read/source.h"

namespace tidegate::replay {
namespace {

struct FreeStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

// Frames one after another are one text. Windows above 128 MiB, zstd's own bound, are refused.
class ZstdSource : public Source {
 public:
  explicit ZstdSource(std::unique_ptr<InputFile> opened)
      : Source{std::move(opened)}, stream_{ZSTD_createDStream()}, buffer_(ZSTD_DStreamInSize()) {}

  Expected<std::size_t> read(std::span<char> into) override {
    if (!stream_) return error(file().path(), "no memory to unpack it");
    ZSTD_outBuffer output{into.data(), into.size(), 0};
    while (output.pos == 0) {
      if (auto more = need_input(); !more || !*more) return more.map([](bool) { return 0UL; });
      const std::size_t left = ZSTD_decompressStream(stream_.get(), &output, &input_);
      if (ZSTD_isError(left) != 0)
        return error(file().path(),
                     std::string{"is no sound zstd data: "} + ZSTD_getErrorName(left));
      within_ = left != 0;
    }
    return output.pos;
  }

 private:
  // False at the end of the file. A full output may have left some in the stream.
  Expected<bool> need_input() {
    if (input_.pos < input_.size) return true;
    const auto count = input().read(buffer_);
    if (!count) return tl::unexpected{count.error()};
    input_ = {buffer_.data(), *count, 0};
    if (*count == 0 && within_) return error(file().path(), "ends within its zstd data: cut off?");
    return *count > 0;
  }

  std::unique_ptr<ZSTD_DStream, FreeStream> stream_;
  std::vector<char> buffer_;
  ZSTD_inBuffer input_{nullptr, 0, 0};
  bool within_ = true;  // a frame
};

}  // namespace

std::unique_ptr<Source> make_zstd_source(std::unique_ptr<InputFile> file) {
  return std::make_unique<ZstdSource>(std::move(file));
}

}  // namespace tidegate::replay
