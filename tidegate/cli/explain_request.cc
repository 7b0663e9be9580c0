#include "tidegate/cli/explain_request.h"

#include <algorithm>

#include "tidegate/base/quote.h"

namespace tidegate::cli {
namespace {

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) return words;
    const std::size_t end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

Expected<rules::DescriptorEntry> read_entry(std::string_view word) {
  const std::size_t sign = word.find('=');
  if (sign != std::string_view::npos && sign > 0)
    return rules::DescriptorEntry{word.substr(0, sign), word.substr(sign + 1)};
  return error(quoted(word), "expected key=value");
}

}  // namespace

Expected<ExplainRequest> read_request(std::span<const std::string> given) {
  const std::vector<std::string_view> words =
      given.size() == 1 ? split(given.front())
                        : std::vector<std::string_view>{given.begin(), given.end()};
  if (words.size() < 2)
    return error("request", "expected a domain and entries, as in 'api user=42'");
  ExplainRequest request{.domain = words.front(), .descriptors = {{}}};
  for (const std::string_view word : std::span{words}.subspan(1)) {
    if (word == ";") {
      request.descriptors.emplace_back();
      continue;
    }
    const auto entry = read_entry(word);
    if (!entry) return tl::unexpected{entry.error()};
    request.descriptors.back().push_back(*entry);
  }
  return request;
}

}  // namespace tidegate::cli
