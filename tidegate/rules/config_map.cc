#include "tidegate/rules/config_map.h"

#include <algorithm>
#include <optional>

#include "tidegate/base/quote.h"

namespace tidegate::rules {
namespace {

using yaml::Mark;
using yaml::Node;

// What is left of the text from a line on; empty behind its end.
std::string_view from_line(std::string_view text, std::size_t line) {
  for (std::size_t i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text;
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

bool is_blank(std::string_view line) {
  const std::size_t begin = indentation(line);
  return begin == line.size() || line[begin] == '\n' || line[begin] == '\r';
}

// By how much a block is indented: its first line that is not blank, here and in what was read.
std::size_t indentation_of_block(std::string_view lines, std::string_view content) {
  while (!content.empty() && is_blank(content)) {
    content = from_line(content, 2);
    lines = from_line(lines, 2);
  }
  const std::size_t outside = indentation(lines);
  const std::size_t inside = indentation(content);
  return outside > inside ? outside - inside : 0;
}

// Where a literal block's first byte stands; nothing when the entry is written another way.
std::optional<Mark> origin_of(const Node& entry, std::string_view text) {
  const std::string_view line = from_line(text, entry.mark.line);
  if (entry.plain || line.size() < entry.mark.column || line[entry.mark.column - 1] != '|')
    return std::nullopt;
  const std::string_view below = from_line(line, 2);
  return Mark{.line = entry.mark.line + 1, .column = indentation_of_block(below, entry.text) + 1};
}

void open_entry(const yaml::Entry& entry, std::string_view text, std::vector<Inner>& into,
                Report& report) {
  if (!entry.value.is_scalar())
    return report.mistake(
        entry.value.mark,
        "expected a file as text, as in config.yaml: |, found " + yaml::describe(entry.value));
  const std::optional<Mark> origin = origin_of(entry.value, text);
  const std::string file =
      origin ? report.file : report.place(entry.value.mark) + ", " + entry.key.text;
  auto documents = yaml::read(file, entry.value.text, {}, origin.value_or(Mark{}));
  if (!documents) {
    report.errors.push_back(std::move(documents.error()));
    return;
  }
  for (Node& document : *documents) into.push_back({file, std::move(document)});
}

bool is_rule_file(const std::string& name) {
  return name.ends_with(".yaml") || name.ends_with(".yml");
}

}  // namespace

bool is_kubernetes(const Node& document) {
  return document.find("apiVersion") != nullptr && document.find("kind") != nullptr;
}

std::vector<Inner> open_config_map(const Node& document, std::string_view text, Report& report) {
  std::vector<Inner> inner;
  const Node& kind = *document.find("kind");
  const Node* const data = document.find("data");
  if (kind.text != "ConfigMap") {
    report.mistake(kind.mark, "expected a ConfigMap, found " + yaml::describe(kind));
  } else if (data == nullptr || !data->is_map()) {
    report.mistake(document.mark, "this ConfigMap has no data");
  } else {
    for (const yaml::Entry& entry : data->entries)
      if (is_rule_file(entry.key.text)) open_entry(entry, text, inner, report);
    if (inner.empty() && report.errors.empty())
      report.mistake(data->mark, "expected an entry that is named *.yaml and holds rules");
  }
  return inner;
}

}  // namespace tidegate::rules
