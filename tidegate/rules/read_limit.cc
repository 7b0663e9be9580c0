#include "tidegate/rules/read_limit.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "tidegate/algorithm/limit_grammar.h"
#include "tidegate/rules/fields.h"

namespace tidegate::rules {
namespace {

using yaml::Mark;
using yaml::Node;

// A value that was given, and where.
template <class T>
struct Given {
  T value;
  Mark mark;
};

// What stands in the map, each by itself.
struct Draft {
  Algorithm default_algorithm;
  Rule& rule;
  std::optional<Given<std::string>> limit = {};
  std::optional<Given<Duration>> unit = {};
  std::optional<Given<std::uint64_t>> tokens = {};
  std::optional<Given<Algorithm>> algorithm = {};
  std::optional<Given<std::uint64_t>> burst = {};
  std::optional<Given<Duration>> period = {};
  std::optional<Given<Refill>> refill = {};
  std::optional<Given<std::uint64_t>> precision = {};
  std::optional<Given<Layout>> layout = {};
};

std::optional<std::uint64_t> read_digits(const Node& node) {
  std::uint64_t value = 0;
  const char* const end = node.text.data() + node.text.size();
  const auto [stop, failure] = std::from_chars(node.text.data(), end, value);
  const bool octal = node.text.size() > 1 && node.text.front() == '0';  // to other readers
  if (!node.is_scalar() || !node.plain || failure != std::errc{} || stop != end || octal)
    return std::nullopt;
  return value;
}

void read_number(const Node& node, std::uint64_t least, std::uint64_t most,
                 std::optional<Given<std::uint64_t>>& into, Report& report) {
  const auto value = read_digits(node);
  if (value && *value >= least && *value <= most) {
    into = {*value, node.mark};
    return;
  }
  report.mistake(node.mark, "expected a whole number, " + std::to_string(least) + " to " +
                                std::to_string(most) + ", found " + yaml::describe(node));
}

// One of a few words, in any case.
template <class T>
using Choice = std::pair<std::string_view, T>;

template <class T, std::size_t kSize>
std::optional<T> read_choice(const Node& node, const Choice<T> (&choices)[kSize], Report& report) {
  std::vector<std::string_view> known;
  for (const auto& [word, value] : choices) {
    if (node.is_scalar() && grammar::same(node.text, word)) return value;
    known.push_back(word);
  }
  report.mistake(node.mark, node.is_scalar()
                                ? quoted(node.text) + ": " + expected_one_of(node.text, known)
                                : "expected a word, found " + yaml::describe(node));
  return std::nullopt;
}

template <class T, std::size_t kSize>
void read_given(const Node& node, const Choice<T> (&choices)[kSize], std::optional<Given<T>>& into,
                Report& report) {
  if (const auto value = read_choice(node, choices, report)) into = {*value, node.mark};
}

constexpr Choice<Algorithm> kAlgorithmWords[] = {
    {"sliding_window", Algorithm::kSlidingWindow},
    {"sliding_window_counter", Algorithm::kSlidingWindowCounter},
    {"fixed_window", Algorithm::kFixedWindow},
    {"token_bucket", Algorithm::kTokenBucket},
    {"gcra", Algorithm::kTokenBucket},
};
constexpr Choice<Refill> kRefillWords[] = {
    {"continuous", Refill::kContinuous},
    {"interval", Refill::kInterval},
};
constexpr Choice<OnStoreError> kStoreErrorWords[] = {
    {"local", OnStoreError::kLocal},
    {"allow", OnStoreError::kAllow},
    {"deny", OnStoreError::kDeny},
    {"error", OnStoreError::kError},
};
constexpr Choice<Layout> kLayoutWords[] = {
    {"zset", Layout::kZset},
    {"list", Layout::kList},
    {"counter", Layout::kCounter},
};
constexpr std::string_view kUnitWords[] = {"second", "minute", "hour", "day",
                                           "week",   "month",  "year"};

// The names are those of the proxy's protocol. UNKNOWN is how other programs dump that there is
// none.
void read_unit(const Node& node, Draft& into, Report& report) {
  std::string text;
  read_text(node, text, report);
  if (text.empty() || grammar::same(text, "unknown")) return;
  for (const std::string_view word : kUnitWords) {
    if (!grammar::same(text, word)) continue;
    const auto period = static_cast<std::int64_t>(grammar::microseconds_in(word));
    into.unit = {Duration{period}, node.mark};
    return;
  }
  report.mistake(node.mark, "unit " + quoted(text) + ": " + expected_one_of(text, kUnitWords));
}

void read_limit_text(const Node& node, Draft& into, Report& report) {
  if (!node.is_scalar())
    return report.mistake(node.mark, "expected a limit as in 5/60s, found " + yaml::describe(node));
  const grammar::Outcome read = grammar::read_limit(node.text);
  if (read.problem == nullptr) {
    into.limit = {node.text, node.mark};
    return;
  }
  Mark mark = node.mark;
  mark.column += read.at + (node.plain ? 0 : 1);
  report.mistake(mark, std::string{read.problem} + "; for example 5/60s, or 100/h burst 20");
}

void read_period(const Node& node, Draft& into, Report& report) {
  const grammar::Outcome read = grammar::read_duration(node.text);
  if (node.is_scalar() && read.problem == nullptr) {
    into.period = {read.spec.period, node.mark};
    return;
  }
  report.mistake(node.mark, "expected a period as in 90s, found " + yaml::describe(node));
}

struct ReplacedName {
  std::string name = {};
};
constexpr Field<ReplacedName> kReplacesFields[] = {
    {"name", [](const Node& node, ReplacedName& into,
                Report& report) { read_text(node, into.name, report); }},
};

void read_replaces(const Node& node, Draft& into, Report& report) {
  for (const Node& item : items(node, "a list of names, as in [{name: other}]", report)) {
    ReplacedName replaced;
    if (!read_map<ReplacedName>(item, "a map, as in {name: other}", kReplacesFields, replaced,
                                report))
      continue;
    if (replaced.name.empty()) {
      report.mistake(item.mark, "expected the name of a rule to replace");
    } else {
      into.rule.replaces.push_back(std::move(replaced.name));
    }
  }
}

constexpr Field<Draft> kFields[] = {
    {"unit", read_unit},
    {"requests_per_unit",
     [](const Node& node, Draft& into, Report& report) {
       read_number(node, 0, kMaxTokens, into.tokens, report);
     }},
    {"unlimited", [](const Node& node, Draft& into,
                     Report& report) { read_truth(node, into.rule.unlimited, report); }},
    {"name", [](const Node& node, Draft& into,
                Report& report) { read_text(node, into.rule.name, report); }},
    {"replaces", read_replaces},
    {"limit", read_limit_text},
    {"algorithm",
     [](const Node& node, Draft& into, Report& report) {
       read_given(node, kAlgorithmWords, into.algorithm, report);
     }},
    {"burst", [](const Node& node, Draft& into,
                 Report& report) { read_number(node, 0, kMaxTokens, into.burst, report); }},
    {"period", read_period},
    {"refill", [](const Node& node, Draft& into,
                  Report& report) { read_given(node, kRefillWords, into.refill, report); }},
    {"precision",
     [](const Node& node, Draft& into, Report& report) {
       read_number(node, 1, kMaxPrecision, into.precision, report);
     }},
    {"on_store_error",
     [](const Node& node, Draft& into, Report& report) {
       if (const auto value = read_choice(node, kStoreErrorWords, report))
         into.rule.on_store_error = *value;
     }},
    {"layout", [](const Node& node, Draft& into,
                  Report& report) { read_given(node, kLayoutWords, into.layout, report); }},
};

bool says_algorithm(std::string_view limit) {
  constexpr std::string_view kWord = "algorithm";
  for (std::size_t i = 0; i + kWord.size() <= limit.size(); ++i)
    if (grammar::same(limit.substr(i, kWord.size()), kWord)) return true;
  return false;
}

// A limit in the one grammar says everything about itself.
std::optional<LimitSpec> spec_of_text(const Draft& draft, Report& report) {
  const auto refuse = [&](const auto& given, std::string_view key) {
    if (!given) return false;
    report.mistake(given->mark, quoted(key) + " does not go with limit, which says it by itself");
    return true;
  };
  const bool twice =
      int{refuse(draft.unit, "unit")} + int{refuse(draft.tokens, "requests_per_unit")} +
      int{refuse(draft.period, "period")} + int{refuse(draft.algorithm, "algorithm")} +
      int{refuse(draft.burst, "burst")} + int{refuse(draft.refill, "refill")} +
      int{refuse(draft.precision, "precision")};
  if (twice) return std::nullopt;
  LimitSpec spec = grammar::read_limit(draft.limit->value).spec;
  const bool open = spec.algorithm == Algorithm::kSlidingWindow &&
                    spec.precision == kDefaultPrecision && !says_algorithm(draft.limit->value);
  if (open) spec.algorithm = draft.default_algorithm;
  return spec;
}

Algorithm algorithm_of(const Draft& draft) {
  if (draft.algorithm) return draft.algorithm->value;
  if (draft.burst || draft.refill) return Algorithm::kTokenBucket;
  return draft.precision ? Algorithm::kSlidingWindow : draft.default_algorithm;
}

std::optional<Duration> period_of(const Node& node, const Draft& draft, Report& report) {
  if (draft.unit && draft.period) {
    report.mistake(draft.period->mark, "expected unit or period, not both");
    return std::nullopt;
  }
  if (draft.period) return draft.period->value;
  if (draft.unit) return draft.unit->value;
  report.mistake(node.mark, "expected a unit (second to year), or a period (90s)");
  return std::nullopt;
}

// Options that another algorithm would not look at.
bool options_fit(const Draft& draft, Algorithm algorithm, Report& report) {
  const auto refuse = [&](const auto& given, Algorithm owner, std::string_view option) {
    if (!given || algorithm == owner) return true;
    report.mistake(given->mark, std::string{option} + " goes with " + std::string{name(owner)} +
                                    ", and not with " + std::string{name(algorithm)});
    return false;
  };
  const bool burst = refuse(draft.burst, Algorithm::kTokenBucket, "burst");
  const bool refill = refuse(draft.refill, Algorithm::kTokenBucket, "refill");
  const bool precision = refuse(draft.precision, Algorithm::kSlidingWindow, "precision");
  return burst && refill && precision;
}

std::optional<LimitSpec> spec_of_parts(const Node& node, const Draft& draft, Report& report) {
  if (!draft.unit && !draft.period && !draft.tokens) {
    report.mistake(node.mark, "expected a limit (5/60s), or a unit and requests_per_unit");
    return std::nullopt;
  }
  const Algorithm algorithm = algorithm_of(draft);
  const bool fit = options_fit(draft, algorithm, report);
  const auto period = period_of(node, draft, report);
  if (!draft.tokens) report.mistake(node.mark, "expected requests_per_unit; 0 denies all");
  if (!fit || !period || !draft.tokens) return std::nullopt;
  LimitSpec spec{.tokens = draft.tokens->value, .period = *period, .algorithm = algorithm};
  if (draft.burst) spec.burst = draft.burst->value;
  if (draft.refill) spec.refill = draft.refill->value;
  if (draft.precision) spec.precision = draft.precision->value;
  return spec;
}

void check_layout(const Draft& draft, const Limit& limit, Report& report) {
  if (!draft.layout) return;
  const Algorithm owner =
      draft.layout->value == Layout::kCounter ? Algorithm::kFixedWindow : Algorithm::kSlidingWindow;
  if (limit.algorithm() != owner)
    report.mistake(draft.layout->mark, "this layout goes with " + std::string{name(owner)} +
                                           ", and not with " +
                                           std::string{name(limit.algorithm())});
  draft.rule.layout = draft.layout->value;
}

void conclude_limit(const Node& node, const Draft& draft, Report& report) {
  const auto spec = draft.limit ? spec_of_text(draft, report) : spec_of_parts(node, draft, report);
  if (!spec) return;
  const Expected<Limit> limit = Limit::make(*spec);
  if (!limit) return report.mistake(node.mark, limit.error().what);
  draft.rule.limit = *limit;
  check_layout(draft, *limit, report);
}

void conclude_unlimited(const Draft& draft, Report& report) {
  const auto refuse = [&](const auto& given, std::string_view key) {
    if (given) report.mistake(given->mark, quoted(key) + " does not go with unlimited");
  };
  refuse(draft.unit, "unit");
  refuse(draft.limit, "limit");
  refuse(draft.algorithm, "algorithm");
  refuse(draft.burst, "burst");
  refuse(draft.period, "period");
  refuse(draft.refill, "refill");
  refuse(draft.precision, "precision");
  refuse(draft.layout, "layout");
  if (draft.tokens && draft.tokens->value > 0)
    report.warn(draft.tokens->mark, "requests_per_unit does not count beside unlimited");
}

void check_replaces(const Node& node, const Rule& rule, Report& report) {
  const auto& names = rule.replaces;
  if (!rule.name.empty() && std::find(names.begin(), names.end(), rule.name) != names.end())
    report.mistake(node.find("replaces")->mark,
                   "a rule does not replace itself: it is named " + quoted(rule.name) + " too");
}

}  // namespace

void read_rate_limit(const Node& node, Algorithm default_algorithm, Rule& into, Report& report) {
  Draft draft{.default_algorithm = default_algorithm, .rule = into};
  const std::size_t before = report.errors.size();
  read_map<Draft>(node, "a map, as in {unit: minute, requests_per_unit: 5}", kFields, draft,
                  report);
  if (report.errors.size() != before) return;
  check_replaces(node, into, report);
  if (into.unlimited) {
    conclude_unlimited(draft, report);
  } else {
    conclude_limit(node, draft, report);
  }
}

}  // namespace tidegate::rules
