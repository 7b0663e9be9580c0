#include "tidegate/algorithm/limit.h"

#include "tidegate/base/quote.h"

namespace tidegate {
namespace {

std::string period_text(Duration period) {
  using namespace std::literals;
  constexpr std::string_view kShort[] = {"w", "d", "h", "min", "s", "ms", "us"};
  const auto total = static_cast<std::uint64_t>(period.count());
  for (const std::string_view unit : kShort) {
    const std::uint64_t size = grammar::microseconds_in(unit);
    if (total % size != 0) continue;
    const std::uint64_t count = total / size;
    return (count == 1 ? ""s : std::to_string(count)) + std::string{unit};
  }
  return {};  // not reached: every period is a number of microseconds
}

}  // namespace

Expected<Limit> Limit::parse(std::string_view text) {
  const grammar::Outcome read = grammar::read_limit(text);
  if (read.problem == nullptr) return Limit{read.spec};
  return error("limit " + quoted(text) + ", column " + std::to_string(read.at + 1),
               std::string{read.problem} + "; for example 5/60s, or 100/h burst 20");
}

Expected<Limit> Limit::make(const LimitSpec& spec) {
  if (const char* problem = problem_with(spec)) return error("limit", problem);
  return Limit{spec};
}

std::string Limit::to_string() const {
  std::string text = std::to_string(tokens_) + "/" + period_text(period_);
  if (algorithm_ == Algorithm::kTokenBucket) {
    text += " burst " + std::to_string(burst_);  // which says token_bucket as well
    if (refill_ == Refill::kInterval) text += " refill interval";
  } else if (algorithm_ != Algorithm::kSlidingWindow) {
    text += " algorithm " + std::string{name(algorithm_)};
  } else if (precision_ != kDefaultPrecision) {
    text += " precision " + std::to_string(precision_);
  }
  return text;
}

}  // namespace tidegate
