#include "tests/house/tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tidegate::house {
namespace {

const std::filesystem::path kRoot = TIDEGATE_SOURCE_DIR;

bool ends_in_one_of(std::string_view name, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace

std::vector<File> files_in(std::initializer_list<std::string_view> folders,
                           std::initializer_list<std::string_view> endings) {
  std::vector<File> files;
  for (const std::string_view folder : folders) {
    if (!std::filesystem::exists(kRoot / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{kRoot / folder}) {
      const std::string path = entry.path().lexically_relative(kRoot).generic_string();
      if (entry.is_regular_file() && ends_in_one_of(path, endings))
        files.push_back({path, read_file(path)});
    }
  }
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.path < b.path; });
  return files;
}

std::string read_file(std::string_view path) {
  std::ifstream in{kRoot / path, std::ios::binary};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string finding(std::string_view path, std::size_t line, std::string_view what) {
  return std::string{path} + ":" + std::to_string(line) + ": " + std::string{what};
}

std::string joined(const Findings& findings) {
  std::string text;
  for (const std::string& one : findings) text += one + "\n";
  return text;
}

}  // namespace tidegate::house
