#include "tests/house/texts.h"

#include <regex>

#include "tests/house/functions.h"

namespace tidegate::house {

Findings header_findings(const File& header) {
  const std::vector<std::string_view> lines = lines_of(header.text);
  std::size_t comment = 0;
  while (comment < lines.size() && lines[comment].starts_with("//")) ++comment;
  if (comment == 0)
    return {finding(header.path, 1, "open with a paragraph: what it is; thread safety; cost")};
  if (comment == lines.size() || lines[comment] != "#pragma once")
    return {finding(header.path, comment + 1, "expected #pragma once behind the first paragraph")};
  return {};
}

Findings leftover_findings(const File& file) {
  // Written so that this file does not find itself.
  static const std::regex mark{
      "\\b(TO"
      "DO|FIX"
      "ME|X"
      "XX|HA"
      "CK)\\b"};
  Findings findings;
  const std::vector<std::string_view> lines = lines_of(file.text);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (std::regex_search(lines[i].begin(), lines[i].end(), mark))
      findings.push_back(finding(file.path, i + 1, "do it now, or take the mark out"));
  return findings;
}

Findings length_findings(const File& file) {
  Findings findings;
  for (const Function& function : functions_of(file.text))
    if (function.lines > kMaxFunctionLines)
      findings.push_back(finding(file.path, function.line,
                                 "a function of " + std::to_string(function.lines) +
                                     " lines; divide it: 70 at most, 30 by habit"));
  return findings;
}

std::vector<Goal> goals_of(std::string_view makefile) {
  static const std::regex rule{R"(^([A-Za-z0-9_/-]+):(?!=)[^#]*(?:## *(.*))?$)"};
  std::vector<Goal> goals;
  for (const std::string_view line : lines_of(makefile)) {
    std::cmatch match;
    if (std::regex_match(line.data(), line.data() + line.size(), match, rule))
      goals.push_back({match[1], match[2]});
  }
  return goals;
}

}  // namespace tidegate::house
