#include "tidegate/rules/load.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "tidegate/base/quote.h"
#include "tidegate/rules/config_map.h"
#include "tidegate/rules/read_domain.h"
#include "tidegate/rules/report.h"

namespace tidegate::rules {
namespace {

void append(std::vector<Error>& into, std::vector<Error> more) {
  into.insert(into.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
}

// Joins what several files say about one domain.
void merge(std::vector<Domain>& domains, Domain more) {
  const auto same = std::find_if(domains.begin(), domains.end(),
                                 [&](const Domain& domain) { return domain.name == more.name; });
  if (same == domains.end()) return domains.push_back(std::move(more));
  std::move(more.rules.begin(), more.rules.end(), std::back_inserter(same->rules));
}

class Loader {
 public:
  explicit Loader(const LoadOptions& options) : options_{options} {}

  void add(const Source& source);
  Loaded finish(std::vector<Error> errors);

 private:
  void add_document(std::string file, const yaml::Node& document);
  void close(Report report) {
    append(loaded_.errors, std::move(report.errors));
    append(loaded_.warnings, std::move(report.warnings));
  }
  void check_siblings(const std::vector<Rule>& rules);
  void collect_names(const std::vector<Rule>& rules);
  void check_replaced(const std::vector<Rule>& rules);

  const LoadOptions& options_;
  std::vector<Domain> domains_;
  std::set<std::string_view> names_;  // of a domain's rules
  Loaded loaded_;
};

void Loader::add(const Source& source) {
  const auto documents = yaml::read(source.name, source.text);
  if (!documents) return loaded_.errors.push_back(documents.error());
  if (documents->empty())
    loaded_.errors.push_back({source.name, "this file is empty; expected domain and descriptors"});
  for (const yaml::Node& document : *documents) {
    if (!is_kubernetes(document)) {
      add_document(source.name, document);
      continue;
    }
    Report report{.file = source.name};
    for (Inner& inner : open_config_map(document, source.text, report))
      add_document(std::move(inner.file), inner.document);
    close(std::move(report));
  }
}

void Loader::add_document(std::string file, const yaml::Node& document) {
  Report report{.file = std::move(file)};
  Domain domain = read_domain(document, options_.default_algorithm, report);
  if (!domain.name.empty()) merge(domains_, std::move(domain));
  close(std::move(report));
}

std::string words(const Rule& rule) {
  if (rule.value.empty()) return "key " + quoted(rule.key) + " without a value";
  return "key " + quoted(rule.key) + " with value " + quoted(rule.value);
}

void Loader::check_siblings(const std::vector<Rule>& rules) {
  std::map<std::pair<std::string_view, std::string_view>, const Rule*> seen;
  for (const Rule& rule : rules) {
    const auto [before, is_new] =
        seen.emplace(std::pair<std::string_view, std::string_view>{rule.key, rule.value}, &rule);
    if (!is_new && !rule.key.empty())
      loaded_.errors.push_back(
          {rule.place, words(rule) + " has a descriptor at " + before->second->place + " already"});
    check_siblings(rule.rules);
  }
}

void Loader::collect_names(const std::vector<Rule>& rules) {
  for (const Rule& rule : rules) {
    if (!rule.name.empty()) names_.insert(rule.name);
    collect_names(rule.rules);
  }
}

void Loader::check_replaced(const std::vector<Rule>& rules) {
  for (const Rule& rule : rules) {
    for (const std::string& name : rule.replaces)
      if (!names_.contains(name))
        loaded_.warnings.push_back({rule.place, "replaces " + quoted(name) +
                                                    ", but no rule of this domain has that name"});
    check_replaced(rule.rules);
  }
}

Loaded Loader::finish(std::vector<Error> errors) {
  append(loaded_.errors, std::move(errors));
  for (const Domain& domain : domains_) {
    names_.clear();
    check_siblings(domain.rules);
    collect_names(domain.rules);
    check_replaced(domain.rules);
  }
  if (loaded_.errors.empty())
    loaded_.rules =
        std::make_shared<const RuleSet>(std::move(domains_), options_.default_algorithm);
  return std::move(loaded_);
}

}  // namespace

Loaded load(std::span<const Source> sources, const LoadOptions& options) {
  Loader loader{options};
  for (const Source& source : sources) loader.add(source);
  return loader.finish({});
}

Loaded load_files(std::span<const std::string> paths, const LoadOptions& options) {
  std::vector<Error> errors;
  const std::vector<Source> sources = read_files(paths, errors);
  Loader loader{options};
  for (const Source& source : sources) loader.add(source);
  return loader.finish(std::move(errors));
}

}  // namespace tidegate::rules
