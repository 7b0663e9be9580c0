#include "tidegate/replay/outcome.h"

#include <algorithm>
#include <iterator>
#include <thread>

#include "tidegate/algorithm/algorithm.h"

namespace tidegate::replay {
namespace {

using namespace std::chrono_literals;

constexpr Duration kWidths[] = {1s, 2s, 5s, 10s, 15s, 30s, 1min, 2min, 5min, 10min, 15min, 30min,
                                1h, 2h, 3h, 6h,  12h, 24h, 48h,  168h, 720h, 2160h, 8760h};

// One thread's share of the decisions: that of the keys whose number leaves `share` as a rest.
struct Part {
  std::uint32_t share;
  std::uint32_t shares;
  std::uint64_t allowed = 0;
  std::uint64_t denied = 0;
  std::vector<std::uint64_t> allowed_over_time;
  std::vector<std::uint64_t> denied_over_time;
};

template <class S>
void decide_part(const Trace& trace, const Limit& limit, const Frame& frame, Part& part,
                 std::vector<std::uint32_t>& denied_by_key) {
  std::vector<S> states(trace.keys.size() / part.shares + 1);
  for (const Hit& hit : trace.hits) {
    if (hit.key % part.shares != part.share) continue;
    const bool allowed = take(states[hit.key / part.shares], limit, hit.at, hit.cost).allowed;
    ++(allowed ? part.allowed : part.denied);
    ++(allowed ? part.allowed_over_time : part.denied_over_time)[frame.index(hit.at)];
    denied_by_key[hit.key] += !allowed;
  }
}

void add(std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& more) {
  std::transform(to.begin(), to.end(), more.begin(), to.begin(), std::plus<>{});
}

}  // namespace

Frame frame_of(const Trace& trace, std::size_t about) {
  if (trace.hits.empty()) return {};
  const Duration least = trace.span() / static_cast<std::int64_t>(about);
  const auto* width = std::find_if(std::begin(kWidths), std::end(kWidths) - 1,
                                   [&](Duration w) { return w >= least; });
  const Duration first = trace.hits.front().at.time_since_epoch();
  const Frame frame{Time{first - first % *width}, *width, 0};
  return {frame.start, frame.width, frame.index(trace.hits.back().at) + 1};
}

Outcome decide(const Trace& trace, const Limit& limit, const Frame& frame, unsigned threads) {
  Outcome outcome{.name = limit.to_string(),
                  .denied_by_key = std::vector<std::uint32_t>(trace.keys.size()),
                  .allowed_over_time = std::vector<std::uint64_t>(frame.count),
                  .denied_over_time = std::vector<std::uint64_t>(frame.count)};
  std::vector<Part> parts;
  for (unsigned i = 0; i < threads; ++i)
    parts.push_back({.share = i,
                     .shares = threads,
                     .allowed_over_time = std::vector<std::uint64_t>(frame.count),
                     .denied_over_time = std::vector<std::uint64_t>(frame.count)});
  const auto run = [&](Part& part) {
    with_state_type(limit.algorithm(), [&]<class S>(std::type_identity<S>) {
      decide_part<S>(trace, limit, frame, part, outcome.denied_by_key);
    });
  };
  {
    std::vector<std::jthread> running;
    for (std::size_t i = 1; i < parts.size(); ++i) running.emplace_back(run, std::ref(parts[i]));
    run(parts.front());
  }
  for (const Part& part : parts) {
    outcome.allowed += part.allowed;
    outcome.denied += part.denied;
    add(outcome.allowed_over_time, part.allowed_over_time);
    add(outcome.denied_over_time, part.denied_over_time);
  }
  outcome.denied_keys = static_cast<std::uint64_t>(
      std::count_if(outcome.denied_by_key.begin(), outcome.denied_by_key.end(),
                    [](std::uint32_t denied) { return denied > 0; }));
  return outcome;
}

}  // namespace tidegate::replay
