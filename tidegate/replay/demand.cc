#include "tidegate/replay/demand.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tidegate::replay {
namespace {

struct TimedCost {
  Time at;
  std::uint32_t cost;
};

// The requests of each key together, in the order of their times: key i's are in
// [begins[i], begins[i + 1]).
struct ByKey {
  std::vector<std::uint64_t> begins;
  std::vector<TimedCost> requests;
};

ByKey group(const Trace& trace) {
  ByKey by_key{std::vector<std::uint64_t>(trace.keys.size() + 1),
               std::vector<TimedCost>(trace.hits.size())};
  for (const Hit& hit : trace.hits) ++by_key.begins[hit.key + 1];
  std::partial_sum(by_key.begins.begin(), by_key.begins.end(), by_key.begins.begin());
  std::vector<std::uint64_t> next = by_key.begins;
  for (const Hit& hit : trace.hits) by_key.requests[next[hit.key]++] = {hit.at, hit.cost};
  return by_key;
}

std::uint64_t peak(const TimedCost* begin, const TimedCost* end, Duration period) {
  std::uint64_t most = 0;
  std::uint64_t sum = 0;
  for (const TimedCost *first = begin, *last = begin; last != end; ++last) {
    sum += last->cost;
    for (; first->at + period <= last->at; ++first) sum -= first->cost;
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace

Demand demand_of(const Trace& trace, Duration period) {
  const ByKey by_key = group(trace);
  Demand demand;
  demand.period = period;
  const TimedCost* requests = by_key.requests.data();
  for (std::size_t key = 0; key < trace.keys.size(); ++key) {
    const std::uint64_t begin = by_key.begins[key];
    const std::uint64_t end = by_key.begins[key + 1];
    demand.peaks.push_back(peak(requests + begin, requests + end, period));
    demand.totals.push_back(end - begin);
  }
  return demand;
}

std::uint64_t percentile(const std::vector<std::uint64_t>& sorted, double share) {
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
  return sorted[std::min(index, sorted.size() - 1)];
}

}  // namespace tidegate::replay
