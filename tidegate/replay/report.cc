#include "tidegate/replay/report.h"

#include <algorithm>

namespace tidegate::replay {

std::vector<KeyLine> most_denied(const Report& report, const Outcome& outcome, std::size_t count) {
  std::vector<KeyLine> lines;
  for (KeyId key = 0; key < outcome.denied_by_key.size(); ++key)
    if (outcome.denied_by_key[key] > 0)
      lines.push_back(
          {key, report.demand.totals[key], outcome.denied_by_key[key], report.demand.peaks[key]});
  const auto middle = lines.begin() + static_cast<std::ptrdiff_t>(std::min(count, lines.size()));
  std::partial_sort(lines.begin(), middle, lines.end(), [](const KeyLine& a, const KeyLine& b) {
    return a.denied != b.denied ? a.denied > b.denied : a.key < b.key;
  });
  lines.erase(middle, lines.end());
  return lines;
}

}  // namespace tidegate::replay
