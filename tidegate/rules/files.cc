#include "tidegate/rules/files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "tidegate/rules/yaml.h"

namespace tidegate::rules {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 10'000;  // of a directory

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

bool is_rule_file(const fs::path& path) {
  const std::string name = path.filename().string();
  return !name.starts_with('.') && (name.ends_with(".yaml") || name.ends_with(".yml"));
}

// The rule files of a directory. Links count as what they lead to, as Kubernetes mounts them.
Expected<std::vector<std::string>> list(const std::string& path) {
  std::vector<std::string> files;
  std::error_code failure;
  for (fs::directory_iterator entry{path, failure}; !failure && entry != fs::directory_iterator{};
       entry.increment(failure)) {
    std::error_code ignored;
    if (!is_rule_file(entry->path()) || entry->is_directory(ignored)) continue;
    files.push_back(entry->path().string());
    if (files.size() > kMaxFiles)
      return error(path, "more than " + std::to_string(kMaxFiles) + " rule files");
  }
  if (failure) return error(path, failure.message());
  if (files.empty()) return error(path, "expected *.yaml files in this directory, found none");
  std::sort(files.begin(), files.end());
  return files;
}

void read_one(const std::string& path, std::vector<Source>& into, std::vector<Error>& errors) {
  auto text = read_file(path, yaml::Bounds{}.bytes);
  if (text) {
    into.push_back({path, *std::move(text)});
  } else {
    errors.push_back(std::move(text.error()));
  }
}

}  // namespace

Expected<std::string> read_file(const std::string& path, std::size_t most) {
  const File file{std::fopen(path.c_str(), "rbe")};
  if (file == nullptr) return error(path, std::strerror(errno));
  std::string text;
  char buffer[16 * 1024];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file.get())) {
    text.append(buffer, got);
    if (text.size() > most) return error(path, "longer than " + std::to_string(most) + " bytes");
  }
  if (std::ferror(file.get()) != 0) return error(path, std::strerror(errno));
  return text;
}

std::vector<Source> read_files(std::span<const std::string> paths, std::vector<Error>& errors) {
  std::vector<Source> sources;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
      read_one(path, sources, errors);
      continue;
    }
    const auto files = list(path);
    if (!files) {
      errors.push_back(files.error());
      continue;
    }
    for (const std::string& file : *files) read_one(file, sources, errors);
  }
  return sources;
}

}  // namespace tidegate::rules
