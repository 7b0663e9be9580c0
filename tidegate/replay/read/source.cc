#include "tidegate/replay/read/source.h"

#include <string_view>

namespace tidegate::replay {
namespace {

class PlainSource : public Source {
 public:
  explicit PlainSource(std::unique_ptr<InputFile> opened) : Source{std::move(opened)} {}

  Expected<std::size_t> read(std::span<char> into) override { return input().read(into); }
};

}  // namespace

Expected<std::unique_ptr<Source>> Source::open(const std::string& path) {
  constexpr std::string_view kGzip = "\x1f\x8b";
  constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";
  auto opened = InputFile::open(path);
  if (!opened) return tl::unexpected{opened.error()};
  const auto first = (*opened)->first_bytes();
  if (!first) return tl::unexpected{first.error()};
  if (first->starts_with(kGzip)) return make_gzip_source(*std::move(opened));
  if (first->starts_with(kZstd)) return make_zstd_source(*std::move(opened));
  return std::make_unique<PlainSource>(*std::move(opened));
}

}  // namespace tidegate::replay
