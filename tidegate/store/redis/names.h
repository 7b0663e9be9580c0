// What keys are called in Redis: `tidegate:{user:42}:sliding_window`.
//
// The braces are a hash tag: in a cluster, the states of one key lie in one slot, and what a user
// writes into a key chooses none, as its own braces are escaped (%7B, %7D, and %25 for the percent
// sign itself). So no two keys share a name, and ordinary ones read as they are. A layout's keys
// are named as the services that write them do: the prefix and the key, byte for byte.
// Thread safety: a value. Cost: O(bytes).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "tidegate/algorithm/limit.h"
#include "tidegate/store/redis/options.h"
#include "tidegate/store/store.h"

namespace tidegate::redis {

inline constexpr std::array kEveryAlgorithm = {Algorithm::kSlidingWindow,
                                               Algorithm::kSlidingWindowCounter,
                                               Algorithm::kFixedWindow, Algorithm::kTokenBucket};
static_assert(kEveryAlgorithm.size() == kAlgorithms);

class Names {
 public:
  explicit Names(const RedisOptions& options);

  // Appends the name of a key's state.
  void append(std::string& out, Algorithm algorithm, std::string_view key,
              Layout layout = Layout::kStoresChoice) const;
  std::string name(Algorithm algorithm, std::string_view key) const;

  // The form (script.h) of a limit's states here: a layout's name, or its algorithm's.
  std::string_view form(const Limit& limit, Layout layout = Layout::kStoresChoice) const;
  std::string_view form(Algorithm algorithm) const;

  // What MATCH finds our keys with, those that a glob of the user's matches.
  std::string pattern(std::string_view glob) const;

  struct Named {
    std::string key;
    Algorithm algorithm;
  };
  // What a name stands for; nothing when it is none of ours. Names of layouts are not told apart
  // from other keys and are none.
  std::optional<Named> parse(std::string_view name) const;

 private:
  // The take's own, or the store's for its algorithm.
  Layout in_use(Algorithm algorithm, Layout layout) const;

  const std::string prefix_;
  const SlidingWindowLayout sliding_window_;
  const FixedWindowLayout fixed_window_;
};

}  // namespace tidegate::redis
