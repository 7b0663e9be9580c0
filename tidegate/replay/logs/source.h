// The bytes of a log file, whatever it is packed in: plain, gzip (of several members too) or zstd,
// told by their first bytes.
//
// Thread safety: none. Cost: that of unpacking; one block of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "tidegate/base/expected.h"

namespace tidegate::replay {

class Source {
 public:
  virtual ~Source() = default;

  // Fills a buffer; 0 at the end. An error says what is wrong with the file.
  virtual Expected<std::size_t> read(char* into, std::size_t room) = 0;
  virtual std::uint64_t bytes_read() const = 0;  // as they lie on disk
};

// "-" is standard input.
Expected<std::unique_ptr<Source>> open_source(const std::string& name);

// On disk; 0 when it is not known.
std::uint64_t size_of(const std::string& name);

}  // namespace tidegate::replay
