#include "tidegate/cli/take_plan.h"

#include <string_view>

#include "tidegate/cli/values.h"

namespace tidegate::cli {
namespace {

constexpr std::int64_t kMaxCost = std::int64_t{1} << 52;
constexpr std::int64_t kMaxRepeat = 1'000'000'000;

std::optional<Error> misuse(const TakeWords& words) {
  if (!words.from_stdin && !words.second)
    return Error{words.first ? "LIMIT" : "KEY and LIMIT",
                 "missing; expected KEY LIMIT, as in: tidegate take user:42 5/60s"};
  if (words.from_stdin && !words.first)
    return Error{"LIMIT", "missing; expected one, as in: tidegate take --stdin 5/60s"};
  if (words.from_stdin && words.second)
    return Error{"--stdin", "reads the keys, so expected LIMIT alone, got two words"};
  if (words.from_stdin && words.repeat)
    return Error{"--repeat", "does not go with --stdin, which decides once for each line"};
  if (words.server && words.store)
    return Error{"--server", "does not go with --store: states are in one place"};
  if (words.server && words.json && !words.more.empty())
    return Error{"--json",
                 "does not go with --server and --and: the server tells the take that "
                 "bound, and not all"};
  if (words.password_file && !words.server)
    return Error{"--password-file", "is for a server, which --server names"};
  return std::nullopt;
}

Expected<std::vector<Take>> read_takes(const TakeWords& words, Cost cost) {
  std::vector<Take> takes;
  const auto add = [&](std::string_view key, std::string_view limit) {
    return Limit::parse(limit).map(
        [&](const Limit& read) { takes.push_back({.key = key, .limit = read, .cost = cost}); });
  };
  Expected<void> added =
      words.from_stdin ? add({}, *words.first) : add(*words.first, *words.second);
  for (const auto& [key, limit] : words.more)
    if (added) added = add(key, limit);
  return added.map([&] { return std::move(takes); });
}

}  // namespace

Expected<TakePlan> make_plan(const TakeWords& words) {
  if (auto problem = misuse(words)) return tl::unexpected{*std::move(problem)};
  const auto cost = read_number("--cost", words.cost.value_or("1"), 0, kMaxCost);
  if (!cost) return tl::unexpected{cost.error()};
  const auto repeat = read_number("--repeat", words.repeat.value_or("1"), 1, kMaxRepeat);
  if (!repeat) return tl::unexpected{repeat.error()};
  const auto every = read_pause("--every", words.every.value_or("0"));
  if (!every) return tl::unexpected{every.error()};
  return read_takes(words, *cost).map([&](std::vector<Take> takes) {
    return TakePlan{.takes = std::move(takes),
                    .repeat = *repeat,
                    .every = *every,
                    .from_stdin = words.from_stdin,
                    .json = words.json};
  });
}

}  // namespace tidegate::cli
