#include "tidegate/replay/suggestion.h"

#include <algorithm>

#include "tidegate/replay/outcome.h"

namespace tidegate::replay {
namespace {

constexpr double kPercentiles[] = {0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0};

class Chooser {
 public:
  Chooser(const Trace& trace, const Demand& demand, const SuggestPlan& plan)
      : trace_{trace}, plan_{plan}, peaks_{demand.peaks} {
    std::sort(peaks_.begin(), peaks_.end());
  }

  Choice choice(std::uint64_t tokens) const {
    const auto above = std::upper_bound(peaks_.begin(), peaks_.end(), tokens);
    const auto touched = static_cast<std::uint64_t>(peaks_.end() - above);
    const double percentile = 1 - static_cast<double>(touched) / static_cast<double>(peaks_.size());
    return {percentile, tokens, touched == 0 ? 0 : denied(tokens), touched};
  }

  std::vector<Choice> table() const {
    std::vector<Choice> choices;
    for (const double share : kPercentiles) {
      const std::uint64_t tokens = bounded(percentile(peaks_, share));
      if (choices.empty() || choices.back().tokens != tokens) choices.push_back(choice(tokens));
    }
    return choices;
  }

  // Of n keys, those above may be touch * n: the limit is the peak of the last one that may not.
  Choice smallest_by_touch() const {
    const auto may = static_cast<std::size_t>(plan_.touch * static_cast<double>(peaks_.size()));
    const std::size_t spared = peaks_.size() - std::min(may, peaks_.size());
    return choice(bounded(spared == 0 ? 1 : peaks_[spared - 1]));
  }

  Choice smallest_by_deny() const {
    const double may = plan_.deny * static_cast<double>(trace_.hits.size());
    std::uint64_t least = 1;
    std::uint64_t enough = bounded(peaks_.back());
    while (least < enough) {
      const std::uint64_t middle = least + (enough - least) / 2;
      if (static_cast<double>(denied(middle)) <= may) {
        enough = middle;
      } else {
        least = middle + 1;
      }
    }
    return choice(enough);
  }

 private:
  static std::uint64_t bounded(std::uint64_t tokens) {
    return std::clamp<std::uint64_t>(tokens, 1, kMaxTokens);
  }

  // Every hit its own microsecond, as far as that goes: a suggestion is exact.
  std::uint64_t denied(std::uint64_t tokens) const {
    const auto precision = std::clamp<std::uint64_t>(tokens, kDefaultPrecision, kMaxPrecision);
    const Expected<Limit> limit =
        Limit::make({.tokens = tokens, .period = plan_.period, .precision = precision});
    return decide(trace_, limit.value(), frame_of(trace_, 1), plan_.threads).denied;
  }

  const Trace& trace_;
  const SuggestPlan& plan_;
  std::vector<std::uint64_t> peaks_;
};

}  // namespace

Suggestion suggest(const Trace& trace, const Demand& demand, const SuggestPlan& plan) {
  Suggestion suggestion;
  suggestion.plan = plan;
  if (trace.hits.empty()) return suggestion;
  const Chooser chooser{trace, demand, plan};
  suggestion.choices = chooser.table();
  suggestion.by_touch = chooser.smallest_by_touch();
  suggestion.by_deny = chooser.smallest_by_deny();
  return suggestion;
}

}  // namespace tidegate::replay
