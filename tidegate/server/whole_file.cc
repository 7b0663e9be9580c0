#include "tidegate/server/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace tidegate::server {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

tl::unexpected<Error> fail(const std::string& path, const std::string& what) {
  return error("file " + path, what);
}

}  // namespace

Expected<std::string> read_whole_file(const std::string& path, std::size_t most) {
  const std::unique_ptr<std::FILE, Close> file{std::fopen(path.c_str(), "rbe")};
  if (file == nullptr) return fail(path, std::strerror(errno));
  std::string text(most + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) return fail(path, std::strerror(errno));
  if (text.size() > most) return fail(path, "expected at most " + std::to_string(most) + " bytes");
  return text;
}

}  // namespace tidegate::server
