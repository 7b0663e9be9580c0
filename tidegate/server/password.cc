#include "tidegate/server/password.h"

#include "tidegate/server/whole_file.h"

namespace tidegate::server {
namespace {

constexpr std::size_t kMaxBytes = 4096;

}  // namespace

Expected<std::string> read_password(const std::string& path) {
  const auto text = read_whole_file(path, kMaxBytes);
  if (!text) return tl::unexpected{text.error()};
  std::string line = text->substr(0, text->find('\n'));
  if (line.ends_with('\r')) line.pop_back();
  if (line.empty()) return error("file " + path, "expected a password in its first line");
  return line;
}

}  // namespace tidegate::server
