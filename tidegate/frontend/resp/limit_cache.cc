#include "tidegate/frontend/resp/limit_cache.h"

namespace tidegate::frontend {
namespace {

constexpr std::int64_t kMostTokens = static_cast<std::int64_t>(kMaxTokens);
constexpr std::int64_t kLongestPeriod =
    std::chrono::duration_cast<std::chrono::seconds>(kMaxPeriod).count();

std::optional<Error> outside(const char* name, std::int64_t value, std::int64_t lowest,
                             std::int64_t highest) {
  if (value >= lowest && value <= highest) return std::nullopt;
  return Error{name, "expected " + std::to_string(lowest) + " to " + std::to_string(highest) +
                         ", not " + std::to_string(value)};
}

std::size_t hash(const ThrottleSpec& spec) {
  std::uint64_t mixed = 0;
  for (const std::int64_t value : {spec.max_burst, spec.count, spec.period})
    mixed = (mixed ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15;
  return mixed >> 32;
}

}  // namespace

Expected<Limit> make_limit(const ThrottleSpec& spec) {
  if (auto problem = outside("max_burst", spec.max_burst, 0, kMostTokens - 1))
    return tl::unexpected{*std::move(problem)};
  if (auto problem = outside("count", spec.count, 1, kMostTokens))
    return tl::unexpected{*std::move(problem)};
  if (auto problem = outside("period", spec.period, 1, kLongestPeriod))
    return tl::unexpected{*std::move(problem)};
  return Limit::make({.tokens = static_cast<std::uint64_t>(spec.count),
                      .period = std::chrono::seconds{spec.period},
                      .algorithm = Algorithm::kTokenBucket,
                      .burst = static_cast<std::uint64_t>(spec.max_burst) + 1});
}

Expected<Limit> LimitCache::parse(std::string_view text) {
  if (const auto found = texts_.find(text); found != texts_.end()) return found->second;
  Expected<Limit> limit = Limit::parse(text);
  if (!limit || text.size() > kLongestText) return limit;
  if (texts_.size() >= kTexts) texts_.clear();
  texts_.emplace(text, *limit);
  return limit;
}

Expected<Limit> LimitCache::make(const ThrottleSpec& spec) {
  Throttle& cached = throttles_[hash(spec) % kSpecs];
  if (cached.limit && cached.spec == spec) return *cached.limit;
  Expected<Limit> limit = make_limit(spec);
  if (limit) cached = {spec, *limit};
  return limit;
}

}  // namespace tidegate::frontend
