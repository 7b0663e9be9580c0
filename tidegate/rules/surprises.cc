#include "tidegate/rules/surprises.h"

#include <algorithm>
#include <string>

#include "tidegate/base/quote.h"
#include "tidegate/rules/pattern.h"

namespace tidegate::rules {
namespace {

constexpr std::uint64_t kStateBytes = 48;
constexpr std::uint64_t kManyBytes = 4096;
// More hits than this in one run of a log make all of its runs twice as large.
constexpr std::uint32_t kNarrowRun = 2047;

class Search {
 public:
  Search(Algorithm default_algorithm, Cost cost)
      : default_algorithm_{default_algorithm}, cost_{cost} {}

  void look_at(const std::vector<Rule>& rules) {
    for (const Rule& rule : rules) {
      if (rule.limit) look_at(rule, *rule.limit);
      look_at(rule.rules);
    }
    look_for_hidden(rules);
  }

  std::vector<Error> take() { return std::move(found_); }

 private:
  void look_at(const Rule& rule, const Limit& limit);
  void look_for_hidden(const std::vector<Rule>& rules);
  void say(const Rule& rule, std::string what) { found_.push_back({rule.place, std::move(what)}); }

  Algorithm default_algorithm_;
  Cost cost_;
  std::vector<Error> found_;
};

void Search::look_at(const Rule& rule, const Limit& limit) {
  if (limit.tokens() == 0) return;  // denies all, as written
  if (limit.capacity() < cost_)
    say(rule, limit.to_string() + " denies every take of cost " + std::to_string(cost_) +
                  ": at most " + std::to_string(limit.capacity()) + " can be taken at once");
  // Whoever made it the default has chosen it for all.
  if (limit.algorithm() == Algorithm::kFixedWindow && default_algorithm_ != limit.algorithm())
    say(rule, limit.to_string() + " admits up to " +
                  std::to_string(std::uint64_t{2} * limit.tokens()) +
                  " within one period, half of them on each side of a window's edge");
  if (worst_bytes(limit) >= kManyBytes)
    say(rule, limit.to_string() + " takes up to " + std::to_string(worst_bytes(limit)) +
                  " bytes a key, which a lower precision or sliding_window_counter spares");
}

// Patterns that an earlier one leaves nothing to: what it matches, as a text, is all they match.
void Search::look_for_hidden(const std::vector<Rule>& rules) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (!is_pattern(rules[i].value)) continue;
    const Pattern first{rules[i].value};
    for (std::size_t j = i + 1; j < rules.size(); ++j) {
      const Rule& later = rules[j];
      if (later.key == rules[i].key && is_pattern(later.value) && first.matches(later.value))
        say(later, quoted(later.value) + " is never met: " + quoted(rules[i].value) + " at " +
                       rules[i].place + " matches all of it first");
    }
  }
}

}  // namespace

std::uint64_t worst_bytes(const Limit& limit) {
  if (limit.algorithm() != Algorithm::kSlidingWindow) return kStateBytes;
  const std::uint64_t runs = std::min(limit.tokens(), limit.precision() + 2);
  return kStateBytes + runs * (limit.tokens() > kNarrowRun ? 16 : 8);
}

std::vector<Error> surprises(const RuleSet& rules, Cost cost) {
  Search search{rules.default_algorithm(), cost};
  for (const Domain& domain : rules.domains()) search.look_at(domain.rules);
  return search.take();
}

}  // namespace tidegate::rules
