// What a run of `tidegate take` is to do: its words, checked.
//
// Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "tidegate/base/expected.h"
#include "tidegate/base/time.h"
#include "tidegate/cli/take.h"
#include "tidegate/store/store.h"

namespace tidegate::cli {

struct TakePlan {
  std::vector<Take> takes;  // of one request; with from_stdin the first one's key comes by line
  std::int64_t repeat = 1;
  Duration every{0};
  bool from_stdin = false;
  bool json = false;
};

// The plan's keys point into the words.
Expected<TakePlan> make_plan(const TakeWords& words);

}  // namespace tidegate::cli
