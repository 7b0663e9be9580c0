// The RESP reply reader: any bytes, whole and in two pieces, are read alike.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tidegate/wire/resp_reply.h"

namespace {

using tidegate::resp::ReplyNode;
using tidegate::resp::ReplyReader;

std::string read(std::string_view first, std::string_view rest) {
  ReplyReader reader{{.nodes = 1'000, .bulk = 1'000}};
  std::string seen;
  for (const std::string_view piece : {first, rest}) {
    reader.feed(piece);
    while (reader.next() == ReplyReader::Next::kReply)
      for (const ReplyNode& node : reader.reply()) {
        seen += static_cast<char>('A' + static_cast<int>(node.type));
        seen += std::to_string(node.integer) + std::to_string(node.elements);
        seen += node.text;
      }
  }
  return seen + reader.error();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes{reinterpret_cast<const char*>(data + 1), size - 1};
  const std::size_t cut = data[0] % size;
  if (read(bytes.substr(0, cut), bytes.substr(cut)) != read(bytes, "")) std::abort();
  return 0;
}
