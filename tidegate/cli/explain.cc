#include "tidegate/cli/explain.h"

#include <algorithm>

#include "tidegate/base/quote.h"
#include "tidegate/cli/explain_request.h"
#include "tidegate/cli/text.h"
#include "tidegate/cli/validate_text.h"
#include "tidegate/rules/explain.h"
#include "tidegate/rules/load.h"

namespace tidegate::cli {
namespace {

using rules::Met;
using rules::Outcome;
using rules::Step;

void append_candidate(std::string& text, const rules::Candidate& candidate) {
  const auto& [rule, why] = candidate;
  text += why == rules::Why::kMet ? "    -> " : "       ";
  append_key(text, rule->path);
  text += ": " + std::string{rules::text(why)};
  if (why == rules::Why::kMet) text += ", " + limit_text(*rule);
  text += "  (" + rule->place + ")\n";
}

void append_step(std::string& text, const Step& step) {
  text += "  ";
  append_key(text, std::string{step.entry.key} + "=" + std::string{step.entry.value});
  text += step.met == nullptr ? ": no rule\n" : "\n";
  std::size_t others = 0;  // too many to list, and too different to be asked about
  for (const rules::Candidate& candidate : step.candidates)
    candidate.why == rules::Why::kOtherKey ? void(++others) : append_candidate(text, candidate);
  if (others > 0)
    text += "       " + std::to_string(others) + (others == 1 ? " more has" : " more have") +
            " another key\n";
}

// Why a descriptor that meets no limit meets none.
std::string why_no_limit(const std::vector<Step>& steps, std::size_t entries) {
  if (steps.empty()) return "it has no entries";
  if (steps.back().met == nullptr)
    return "entry " + std::to_string(steps.size()) + " of " + std::to_string(entries) +
           " meets no rule; limits count at the last entry alone";
  return steps.back().met->rules.empty()
             ? "the rule that it meets has none"
             : "the rule that it meets has none, and the rules below want another entry";
}

void append_outcome(std::string& text, const Met& met, std::span<const Take> takes,
                    const std::vector<Step>& steps, std::size_t entries) {
  text += "  ";
  if (met.outcome == Outcome::kTake) {
    text += "takes from ";
    append_key(text, takes[met.take].key);
    text += " under " + takes[met.take].limit.to_string();
  } else if (met.outcome == Outcome::kUnlimited) {
    text += "is unlimited";
  } else if (met.outcome == Outcome::kReplaced) {
    text += "does not count: another rule of this request replaces " + quoted(met.rule->name);
  } else {
    text += "meets no limit: " + why_no_limit(steps, entries);
  }
  text += '\n';
}

std::string domain_names(const rules::RuleSet& rules) {
  std::string text;
  for (const rules::Domain& domain : rules.domains())
    text += (text.empty() ? "" : ", ") + quoted(domain.name);
  return text;
}

std::string explain(const rules::RuleSet& rules, const ExplainRequest& request) {
  const rules::Domain* const domain = rules.find(request.domain);
  if (domain == nullptr)
    return "no domain " + quoted(request.domain) + ", so nothing limits this; there is " +
           domain_names(rules) + "\n";
  std::vector<rules::Descriptor> descriptors;
  for (const auto& entries : request.descriptors) descriptors.push_back({.entries = entries});
  rules::Match match;
  rules.match({.domain = request.domain, .descriptors = descriptors}, match);
  std::string text;
  for (std::size_t i = 0; i < descriptors.size(); ++i) {
    const std::vector<Step> steps = rules::explain(*domain, descriptors[i].entries);
    text += "descriptor " + std::to_string(i + 1) + "\n";
    for (const Step& step : steps) append_step(text, step);
    append_outcome(text, match.descriptors()[i], match.takes(), steps,
                   descriptors[i].entries.size());
  }
  return text;
}

Expected<std::shared_ptr<const rules::RuleSet>> load(const std::string& file,
                                                     const rules::LoadOptions& options) {
  rules::Loaded loaded = rules::load_files({&file, 1}, options);
  if (loaded.rules == nullptr) return tl::unexpected{std::move(loaded.errors.front())};
  return std::move(loaded.rules);
}

}  // namespace

std::string_view ExplainCommand::synopsis() const {
  return "FILE 'DOMAIN KEY=VALUE...' [--default-algorithm NAME] [--compat envoy]\n"
         "FILE DOMAIN KEY=VALUE... [--default-algorithm NAME] [--compat envoy]";
}

std::string_view ExplainCommand::notes() const {
  return R"(Each entry, KEY=VALUE, is followed one level down the rules; the rule at the last one counts.
A `;` ends a descriptor and begins another one of the same request.

Example:
  tidegate explain examples/rules/quickstart.yaml 'api user=42'
      descriptor 1
        user=42
          -> api|user: met, 5/min  (examples/rules/quickstart.yaml:5:5)
        takes from api|user=42 under 5/min

Exit code: 0, or 2 on error, of which one is a file that does not load: see tidegate validate.)";
}

void ExplainCommand::declare(Arguments& arguments) {
  arguments.positional("FILE", "A rule file, or a directory of them", file_);
  arguments.positionals("REQUEST", "A domain and the entries of a descriptor", request_);
  cli::declare(arguments, rules_);
}

Expected<ExitCode> ExplainCommand::run(Io& io) {
  if (!file_) return error("FILE", "missing; expected FILE 'DOMAIN KEY=VALUE...'");
  const auto request = read_request(request_);
  if (!request) return tl::unexpected{request.error()};
  return load_options(rules_)
      .and_then([&](const rules::LoadOptions& options) { return load(*file_, options); })
      .map([&](const std::shared_ptr<const rules::RuleSet>& rules) {
        io.out.write(explain(*rules, *request));
        return ExitCode::kOk;
      });
}

}  // namespace tidegate::cli
