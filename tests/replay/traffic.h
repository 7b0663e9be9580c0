// Traffic for tests, as a seed says: heavy-tailed clients, bursts, a scanner, a flood.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/random.h"
#include "tidegate/replay/trace.h"

namespace tidegate::replay {

inline constexpr Time kStart{std::chrono::seconds{1'700'000'000}};

inline void add(Trace& trace, const std::string& key, Duration after, std::uint32_t cost = 1) {
  trace.hits.push_back({kStart + after, trace.keys.id(key), cost});
}

inline void sort(Trace& trace) {
  std::stable_sort(trace.hits.begin(), trace.hits.end(),
                   [](const Hit& a, const Hit& b) { return a.at < b.at; });
}

// Some minutes of it. Times are whole seconds now and then, so that many requests share one.
inline Trace traffic(test::Random& random, std::int64_t requests) {
  const std::int64_t span = random.pick<std::int64_t>({10'000'000, 300'000'000, 7'200'000'000});
  const bool seconds = random.chance(50);
  Trace trace;
  for (std::int64_t i = 0; i < requests; ++i) {
    const std::int64_t client = random.log_between(0, 60);
    std::int64_t at = random.between(0, span);
    if (client == 1) at = span / 3 + random.between(0, span / 50);  // a flood
    if (client == 2) at = at / (span / 7) * (span / 7);             // bursts
    if (seconds) at = at / 1'000'000 * 1'000'000;
    const auto cost = static_cast<std::uint32_t>(random.chance(90) ? 1 : random.between(0, 5));
    add(trace, "client" + std::to_string(client), Duration{at}, cost);
  }
  sort(trace);
  return trace;
}

}  // namespace tidegate::replay
