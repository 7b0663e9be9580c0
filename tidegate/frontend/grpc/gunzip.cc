#include "tidegate/frontend/grpc/gunzip.h"

#include <zlib.h>

#include <memory>

namespace tidegate::frontend {
namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;

class Inflater {
 public:
  explicit Inflater(std::string_view bytes) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    ready_ = inflateInit2(&stream_, kGzipOnly) == Z_OK;
  }
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Fills the text as far as the stream goes; true when that is all of the stream and the bytes.
  bool fill(std::string& into) {
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(into.size());
    const bool ended = ready_ && inflate(&stream_, Z_FINISH) == Z_STREAM_END;
    into.resize(into.size() - stream_.avail_out);
    return ended && stream_.avail_in == 0;
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

}  // namespace

std::optional<grpc::Status> gunzip(std::string_view bytes, std::size_t most, std::string& into) {
  into.resize(most + 1);
  const bool whole = Inflater{bytes}.fill(into);
  if (into.size() > most)
    return grpc::Status{
        grpc::Code::kResourceExhausted,
        "a message of more than " + std::to_string(most) + " bytes when it is not compressed"};
  if (!whole) return grpc::Status{grpc::Code::kInternal, "a message that is not gzip"};
  return std::nullopt;
}

}  // namespace tidegate::frontend
