#include "tidegate/cli/rule_words.h"

#include "tidegate/base/quote.h"

namespace tidegate::cli {
namespace {

Expected<Algorithm> read_algorithm(const std::string& text) {
  for (std::size_t i = 0; i < kAlgorithms; ++i)
    if (text == name(static_cast<Algorithm>(i))) return static_cast<Algorithm>(i);
  return error("--default-algorithm " + quoted(text),
               "expected sliding_window, sliding_window_counter, fixed_window or token_bucket");
}

}  // namespace

void declare(Arguments& arguments, RuleWords& words) {
  arguments.option("--default-algorithm", "NAME", "Of limits that name none (sliding_window)",
                   words.default_algorithm);
  arguments.option("--compat", "envoy", "Decide as envoyproxy/ratelimit does: fixed_window",
                   words.compat);
}

Expected<rules::LoadOptions> load_options(const RuleWords& words) {
  rules::LoadOptions options;
  if (words.compat && *words.compat != "envoy")
    return error("--compat " + quoted(*words.compat), "expected envoy");
  if (words.compat) options.default_algorithm = Algorithm::kFixedWindow;
  if (!words.default_algorithm) return options;
  return read_algorithm(*words.default_algorithm).map([&](Algorithm algorithm) {
    options.default_algorithm = algorithm;
    return options;
  });
}

}  // namespace tidegate::cli
