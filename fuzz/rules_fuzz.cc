// Rule files: reads any bytes without harm, in bounded time; what it refuses it refuses with places
// and in one line each; what it accepts answers requests, with keys that differ where they must.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/rules/explain.h"
#include "tidegate/rules/load.h"
#include "tidegate/rules/surprises.h"

namespace {

namespace rules = tidegate::rules;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

bool one_printable_line(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20) return false;
  return true;
}

void check_problems(const std::vector<tidegate::Error>& problems) {
  for (const tidegate::Error& problem : problems) {
    require(problem.where.starts_with("f"), "a problem names the file");
    require(one_printable_line(problem.message()), "a problem is one line");
    require(problem.message().size() < 20'000, "a problem is short");
  }
}

// Asks for every rule by entries that are spelled like it.
void ask(const rules::RuleSet& set, const rules::Domain& domain,
         const std::vector<rules::Rule>& list, std::vector<rules::DescriptorEntry>& entries,
         rules::Match& match) {
  for (const rules::Rule& rule : list) {
    entries.push_back({rule.key, rule.value});
    const rules::Descriptor descriptor{.entries = entries};
    set.match({.domain = domain.name, .descriptors = {&descriptor, 1}}, match);
    const auto steps = rules::explain(domain, entries);
    const rules::Rule* const met = match.descriptors()[0].rule;
    require(met == steps.back().met, "what is explained is what is matched");
    require(rule.value.empty() || met == &rule, "a rule is met by its own text");
    require(match.takes().size() <= 1, "one descriptor takes once");
    if (met == &rule) ask(set, domain, rule.rules, entries, match);
    entries.pop_back();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const rules::Source source{"f", std::string{reinterpret_cast<const char*>(data), size}};
  const rules::Loaded loaded = rules::load({&source, 1}, {});
  check_problems(loaded.errors);
  check_problems(loaded.warnings);
  require((loaded.rules == nullptr) == !loaded.errors.empty(), "errors refuse, and nothing else");
  if (loaded.rules == nullptr) return 0;
  check_problems(rules::surprises(*loaded.rules, 1));
  rules::Match match;
  for (const rules::Domain& domain : loaded.rules->domains()) {
    std::vector<rules::DescriptorEntry> entries;
    ask(*loaded.rules, domain, domain.rules, entries, match);
  }
  return 0;
}
