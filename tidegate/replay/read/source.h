// Bytes of a file or of standard input, unpacked on the way if they begin as gzip or zstd do.
//
// Thread safety: none. Cost: plain bytes are copied once, by the kernel; packed ones take what zlib
// and zstd take, and the memory that their windows need, 128 MiB at most.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "tidegate/base/expected.h"
#include "tidegate/replay/read/input_file.h"

namespace tidegate::replay {

class Source {
 public:
  virtual ~Source() = default;

  // "-" is standard input.
  static Expected<std::unique_ptr<Source>> open(const std::string& path);

  // How many bytes came; 0 at the end. A packed file that is cut off gives all it holds first.
  virtual Expected<std::size_t> read(std::span<char> into) = 0;

  const InputFile& file() const { return *file_; }

 protected:
  explicit Source(std::unique_ptr<InputFile> file) : file_{std::move(file)} {}
  InputFile& input() { return *file_; }

 private:
  std::unique_ptr<InputFile> file_;
};

// For Source::open.
std::unique_ptr<Source> make_gzip_source(std::unique_ptr<InputFile> file);
std::unique_ptr<Source> make_zstd_source(std::unique_ptr<InputFile> file);

}  // namespace tidegate::replay
