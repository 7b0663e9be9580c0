// What a request meets: the takes to submit, and what became of each of its descriptors.
//
//   rules->match(request, match);
//   op.takes = match.takes();          // none: nothing limits this request
//
// Kept from request to request, so that matching allocates nothing once it has grown. The takes
// point into the match, the rules into the RuleSet: both must outlive what uses them. Thread
// safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tidegate/rules/rule.h"
#include "tidegate/store/store.h"

namespace tidegate::rules {

enum class Outcome : std::uint8_t {
  kNoLimit,    // no rule, or one without a limit
  kUnlimited,  // a rule says so
  kReplaced,   // a rule of the same request replaces this one
  kTake,       // it has a take
};

// What became of one descriptor.
struct Met {
  Outcome outcome = Outcome::kNoLimit;
  const Rule* rule = nullptr;  // none when no rule matched, or the descriptor brought its limit
  std::size_t take = 0;        // with kTake: which of the takes
};

class Match {
 public:
  std::span<const Take> takes() const { return takes_; }
  std::span<const Met> descriptors() const { return descriptors_; }  // as the request's
  bool knows_domain() const { return knows_domain_; }

 private:
  friend class RuleSet;

  std::vector<Take> takes_;
  std::vector<Met> descriptors_;
  bool knows_domain_ = false;
  std::string keys_;               // of all takes, one after the other
  std::vector<std::size_t> ends_;  // of each within them
};

}  // namespace tidegate::rules
