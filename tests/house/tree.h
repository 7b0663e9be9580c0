// The project's own files, read for the tests that look at them.
//
// Thread safety: values. Cost: reads every file it names.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tidegate::house {

struct File {
  std::string path;  // from the root of the project, as in an #include
  std::string text;
};

// What an inspection finds, as `path:line: what is wrong and what to do`.
using Findings = std::vector<std::string>;

// Every file under these folders of the project whose name ends in one of these, in order of path.
std::vector<File> files_in(std::initializer_list<std::string_view> folders,
                           std::initializer_list<std::string_view> endings);

std::string read_file(std::string_view path);

// Lines without their line ends.
std::vector<std::string_view> lines_of(std::string_view text);

std::string finding(std::string_view path, std::size_t line, std::string_view what);

// All on lines of their own, for a test's message.
std::string joined(const Findings& findings);

}  // namespace tidegate::house
