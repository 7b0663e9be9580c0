#include "tidegate/cli/validate.h"

#include <iterator>

#include "tidegate/cli/validate_text.h"
#include "tidegate/cli/values.h"
#include "tidegate/rules/load.h"
#include "tidegate/rules/surprises.h"

namespace tidegate::cli {
namespace {

constexpr std::int64_t kMaxCost = std::int64_t{1} << 52;

void print_text(Io& io, const rules::Loaded& loaded) {
  std::string tree;
  if (loaded.rules != nullptr) append_tree(tree, *loaded.rules);
  io.out.write(tree);
  for (const Error& warning : loaded.warnings)
    io.complain(warning.where + ": warning: " + warning.what);
  for (const Error& mistake : loaded.errors) io.complain(mistake.message());
}

void print_json(Io& io, const rules::Loaded& loaded) {
  std::string text;
  append_json(text, loaded);
  io.out.write(text);
}

rules::Loaded check(std::span<const std::string> files, const rules::LoadOptions& options,
                    Cost cost) {
  rules::Loaded loaded = rules::load_files(files, options);
  if (loaded.rules == nullptr) return loaded;
  std::vector<Error> more = rules::surprises(*loaded.rules, cost);
  std::move(more.begin(), more.end(), std::back_inserter(loaded.warnings));
  return loaded;
}

}  // namespace

std::string_view ValidateCommand::synopsis() const {
  return "FILE... [--cost N] [--default-algorithm NAME] [--compat envoy] [--json]";
}

std::string_view ValidateCommand::notes() const {
  return R"(A FILE may be a directory: all *.yaml and *.yml in it are read. All files together are one
set of rules, in the format of envoyproxy/ratelimit and what docs/rules.md adds to it.

Examples:
  tidegate validate limits.yaml
      limits.yaml:5:5: unknown key "ratelimit"; did you mean rate_limit?
  tidegate validate /etc/tidegate/rules --json
      {"valid":true,"errors":[],"warnings":[],"domains":[...]}

Exit code: 0 when a server would load them, 1 when it would not, 2 on bad usage. Warnings tell what is
right and may surprise; they change no exit code.)";
}

void ValidateCommand::declare(Arguments& arguments) {
  arguments.positionals("FILE", "Rule files, and directories of them", files_);
  arguments.option("--cost", "N", "Warn of limits that can never let so much pass at once (1)",
                   cost_);
  cli::declare(arguments, rules_);
  arguments.flag("--json", "Print one JSON object", json_);
}

Expected<ExitCode> ValidateCommand::run(Io& io) {
  if (files_.empty()) return error("FILE", "missing; expected one or more rule files");
  const auto cost = read_number("--cost", cost_.value_or("1"), 0, kMaxCost);
  if (!cost) return tl::unexpected{cost.error()};
  return load_options(rules_).map([&](const rules::LoadOptions& options) {
    const rules::Loaded loaded = check(files_, options, *cost);
    json_ ? print_json(io, loaded) : print_text(io, loaded);
    return loaded.rules == nullptr ? ExitCode::kDenied : ExitCode::kOk;
  });
}

}  // namespace tidegate::cli
