#include "tidegate/cli/replay_plan.h"

#include <charconv>

#include "tidegate/base/quote.h"
#include "tidegate/cli/values.h"

namespace tidegate::cli {
namespace {

constexpr std::int64_t kMostThreads = 256;
constexpr Duration kDefaultPeriod = std::chrono::seconds{60};

Expected<std::vector<std::string>> read_fields(std::string_view option, std::string_view text) {
  std::vector<std::string> fields;
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    if (end == 0)
      return error(std::string{option},
                   "expected names of fields with commas between, as in "
                   "client or client,path");
    fields.emplace_back(text.substr(0, end));
    if (end == text.size()) return fields;
    text.remove_prefix(end + 1);
  }
}

// `1%`, `0.1%`, or a part of one: 0.01.
Expected<double> read_share(std::string_view option, std::string_view text) {
  const bool percent = text.ends_with('%');
  const std::string_view digits = text.substr(0, text.size() - percent);
  double share = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, problem] = std::from_chars(digits.data(), end, share);
  if (percent) share /= 100;
  if (problem == std::errc{} && stop == end && share >= 0 && share <= 1) return share;
  return error(std::string{option} + " " + quoted(text), "expected 0% to 100%, as in 0.1%");
}

Expected<void> read_load(const ReplayWords& words, replay::LoadPlan& load) {
  if (words.files.empty())
    return error("replay", "expected the names of log files, or - for standard input");
  load.files = words.files;
  load.form = words.form.value_or("");
  load.fields = words.fields.value_or("");
  load.cost = words.cost.value_or("");
  Expected<std::vector<std::string>> by = read_fields("--by", words.by.value_or("client"));
  if (!by) return tl::unexpected{std::move(by).error()};
  load.by = *std::move(by);
  for (const std::string& text : words.where) {
    Expected<replay::Condition> condition = replay::Condition::parse(text);
    if (!condition) return tl::unexpected{std::move(condition).error()};
    load.where.push_back(*std::move(condition));
  }
  const std::string refused = words.refused.value_or("count");
  if (refused != "count" && refused != "skip")
    return error("--refused " + quoted(refused), "expected count or skip");
  load.skip_refused = refused == "skip";
  return {};
}

Expected<void> read_suggest(const ReplayWords& words, ReplayPlan& plan) {
  if (!words.suggest) {
    const bool idle = !words.touch && !words.deny;
    return idle ? Expected<void>{} : error("--touch, --deny", "they go with --suggest");
  }
  replay::SuggestPlan suggest{.period = plan.period, .threads = plan.threads};
  for (const auto& [option, text, into] : {std::tuple{"--touch", &words.touch, &suggest.touch},
                                           std::tuple{"--deny", &words.deny, &suggest.deny}}) {
    if (!*text) continue;
    const Expected<double> share = read_share(option, **text);
    if (!share) return tl::unexpected{share.error()};
    *into = *share;
  }
  plan.suggest = suggest;
  return {};
}

Expected<void> read_limits(const ReplayWords& words, ReplayPlan& plan) {
  for (const std::string& text : words.limits) {
    const Expected<Limit> limit = Limit::parse(text);
    if (!limit) return tl::unexpected{limit.error()};
    plan.limits.push_back(*limit);
  }
  plan.rules = words.rules;
  plan.domain = words.domain.value_or("");
  if (plan.rules.empty() != plan.domain.empty())
    return error("--rules, --domain", "they go together: --rules limits.yaml --domain api");
  if (plan.limits.empty() && plan.rules.empty() && !words.suggest)
    return error("replay", "expected --limit LIMIT, --rules FILE --domain NAME or --suggest");
  return {};
}

// A period that peaks are told for: as said, or that of the first limit.
Expected<void> read_period(const ReplayWords& words, ReplayPlan& plan) {
  plan.period = plan.limits.empty() ? kDefaultPeriod : plan.limits.front().period();
  if (!words.period) return {};
  const Expected<Limit> limit = Limit::parse("1/" + *words.period);
  if (!limit || limit->tokens() != 1 || limit->algorithm() != Algorithm::kSlidingWindow)
    return error("--period " + quoted(*words.period), "expected a length of time, as in 60s");
  plan.period = limit->period();
  return {};
}

Expected<void> read_threads(const ReplayWords& words, unsigned processors, ReplayPlan& plan) {
  plan.threads = processors;
  if (!words.threads) return {};
  const Expected<std::int64_t> threads = read_number("--threads", *words.threads, 1, kMostThreads);
  if (!threads) return tl::unexpected{threads.error()};
  plan.threads = static_cast<unsigned>(*threads);
  return {};
}

}  // namespace

Expected<ReplayPlan> make_plan(const ReplayWords& words, unsigned processors) {
  ReplayPlan plan{.html = words.html, .json = words.json};
  return read_load(words, plan.load)
      .and_then([&] { return read_limits(words, plan); })
      .and_then([&] { return read_period(words, plan); })
      .and_then([&] { return read_threads(words, processors, plan); })
      .and_then([&] { return read_suggest(words, plan); })
      .map([&] { return std::move(plan); });
}

}  // namespace tidegate::cli
