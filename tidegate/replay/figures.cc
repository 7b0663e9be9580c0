#include "tidegate/replay/figures.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tidegate/replay/numbers.h"
#include "tidegate/replay/svg.h"

namespace tidegate::replay {
namespace {

using svg::Drawing;

constexpr double kWidth = 960;
constexpr double kLeft = 64;  // room for the numbers of a y axis
constexpr double kRight = 944;
constexpr std::size_t kTopKeys = 12;
constexpr std::size_t kKeyLetters = 44;

// The plane of a figure: values from 0 up, bottom to top.
struct Plane {
  double top;
  double bottom;
  double most;

  double y(double value) const { return bottom - (bottom - top) * value / most; }
};

Plane draw_plane(Drawing& drawing, double top, double bottom, double most) {
  const std::vector<double> ticks = svg::ticks(most, 4);
  const Plane plane{top, bottom, ticks.back()};
  for (const double tick : ticks) {
    drawing.line(kLeft, plane.y(tick), kRight, plane.y(tick), tick == 0 ? "axis" : "grid");
    drawing.text(kLeft - 8, plane.y(tick) + 4, svg::short_number(tick), "end");
  }
  return plane;
}

// Where a share of the width lies, row by row: the form of horizontal bars.
struct Rows {
  double left;
  double row_height;

  double y(std::size_t row) const { return static_cast<double>(row) * row_height; }
  double width(double share) const { return (kRight - 96 - left) * share; }
};

double share_of(std::uint64_t part, std::uint64_t of) {
  return of == 0 ? 0 : static_cast<double>(part) / static_cast<double>(of);
}

std::uint64_t requests(const Outcome& outcome) {
  return outcome.allowed + outcome.denied;
}

std::string shortened(std::string_view text, std::size_t letters) {
  if (text.size() <= letters) return std::string{text};
  return std::string{text.substr(0, letters - 3)} + "...";
}

std::string shown_key(std::string_view key) {
  return key.empty() ? "(empty)" : shortened(key, kKeyLetters);
}

// Times under the x axis: the start, the end, and some between.
void draw_times(Drawing& drawing, const Frame& frame, double y) {
  constexpr int kLabels = 5;
  const bool days = frame.width * static_cast<std::int64_t>(frame.count) > std::chrono::hours{48};
  for (int i = 0; i <= kLabels; ++i) {
    const auto stretch = frame.count * static_cast<std::size_t>(i) / kLabels;
    const std::string text = clock_text(frame.time(stretch));
    const double x = kLeft + (kRight - kLeft) * i / kLabels;
    drawing.text(x, y, days ? text.substr(5, 11) : text.substr(11, 8),
                 i == 0         ? "start"
                 : i == kLabels ? "end"
                                : "middle");
  }
}

std::string time_table(const Frame& frame, const Outcome& outcome) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < frame.count; ++i)
    if (outcome.allowed_over_time[i] + outcome.denied_over_time[i] > 0)
      rows.push_back({clock_text(frame.time(i)), grouped(outcome.allowed_over_time[i]),
                      grouped(outcome.denied_over_time[i])});
  return table({"from (UTC)", "allowed", "denied"}, rows);
}

// How many keys have a peak of [2^i, 2^(i + 1)).
std::vector<std::uint64_t> by_power(const std::vector<std::uint64_t>& peaks) {
  std::vector<std::uint64_t> counts;
  for (const std::uint64_t peak : peaks) {
    const auto power =
        static_cast<std::size_t>(std::bit_width(std::max<std::uint64_t>(peak, 1))) - 1;
    if (power >= counts.size()) counts.resize(power + 1);
    ++counts[power];
  }
  return counts;
}

std::string power_text(std::size_t power) {
  const std::uint64_t from = std::uint64_t{1} << power;
  return power == 0 ? "1" : grouped(from) + "-" + grouped(2 * from - 1);
}

}  // namespace

std::string table(const std::vector<std::string>& head,
                  const std::vector<std::vector<std::string>>& rows) {
  std::string html = "<table><thead><tr>";
  for (const std::string& cell : head) html += "<th>" + svg::escaped(cell) + "</th>";
  html += "</tr></thead><tbody>\n";
  for (const auto& row : rows) {
    html += "<tr>";
    for (const std::string& cell : row) html += "<td>" + svg::escaped(cell) + "</td>";
    html += "</tr>\n";
  }
  return html + "</tbody></table>";
}

Figure limits_figure(const Report& report) {
  constexpr double kRow = 54;
  const std::uint64_t keys = report.trace.keys.size();
  const Rows rows{320, kRow};
  Drawing drawing{kWidth, kRow * static_cast<double>(report.outcomes.size()) + 4, "Limits"};
  std::vector<std::vector<std::string>> cells;
  for (std::size_t i = 0; i < report.outcomes.size(); ++i) {
    const Outcome& outcome = report.outcomes[i];
    const std::string of_requests = percent(outcome.denied, requests(outcome));
    const std::string of_keys = percent(outcome.denied_keys, keys);
    const double y = rows.y(i);
    const auto row = [&](double at, double share, const char* look, const std::string& words) {
      drawing.bar({rows.left, at, rows.width(1), 16}, "track", "");
      drawing.bar({rows.left, at, rows.width(share), 16}, look, words);
      drawing.text(rows.left + rows.width(1) + 8, at + 13, words, "start");
    };
    drawing.text(0, y + 26, shortened(outcome.name, 42), "start", "name");
    row(y + 4, share_of(outcome.denied, requests(outcome)), "denied", of_requests + " of requests");
    row(y + 24, share_of(outcome.denied_keys, keys), "keys", of_keys + " of keys");
    cells.push_back({outcome.name, grouped(outcome.allowed), grouped(outcome.denied), of_requests,
                     grouped(outcome.denied_keys), of_keys});
  }
  return {.title =
              report.outcomes.size() == 1 ? "What the limit would deny" : "The limits side by side",
          .caption =
              "The share of requests that each limit denies, and the share of keys that are "
              "denied at least once.",
          .drawing = drawing.finish(),
          .table = table({"limit", "allowed", "denied", "of requests", "keys denied", "of keys"},
                         cells)};
}

Figure time_figure(const Report& report, const Outcome& outcome) {
  const Frame& frame = report.frame;
  std::uint64_t most = 1;
  for (std::size_t i = 0; i < frame.count; ++i)
    most = std::max(most, outcome.allowed_over_time[i] + outcome.denied_over_time[i]);
  Drawing drawing{kWidth, 250, "Admitted and denied over time, " + outcome.name};
  const Plane plane = draw_plane(drawing, 14, 218, static_cast<double>(most));
  const double step = (kRight - kLeft) / static_cast<double>(std::max<std::size_t>(frame.count, 1));
  for (std::size_t i = 0; i < frame.count; ++i) {
    const std::uint64_t allowed = outcome.allowed_over_time[i];
    const std::uint64_t denied = outcome.denied_over_time[i];
    const double x = kLeft + step * static_cast<double>(i);
    const double middle = plane.y(static_cast<double>(allowed));
    const double top = plane.y(static_cast<double>(allowed + denied));
    const double width = std::max(step - (step > 3 ? 1 : 0), 0.5);
    const std::string hint = clock_text(frame.time(i)) + ": " + grouped(allowed) + " allowed, " +
                             grouped(denied) + " denied";
    if (allowed > 0) drawing.bar({x, middle, width, plane.bottom - middle}, "allowed", hint);
    if (denied > 0) drawing.bar({x, top, width, middle - top}, "denied", hint);
  }
  draw_times(drawing, frame, 238);
  return {.title = outcome.name + " denies " + percent(outcome.denied, requests(outcome)) +
                   " of the requests",
          .caption = "Requests in every " + length_text(frame.width) +
                     ", admitted below and denied on top. Times are UTC.",
          .drawing = drawing.finish(),
          .table = time_table(frame, outcome)};
}

Figure keys_figure(const Report& report, const Outcome& outcome) {
  constexpr double kRow = 26;
  const std::vector<KeyLine> lines = most_denied(report, outcome, kTopKeys);
  std::uint64_t most = 1;
  for (const KeyLine& line : lines) most = std::max(most, line.requests);
  const Rows rows{360, kRow};
  Drawing drawing{kWidth, kRow * static_cast<double>(std::max<std::size_t>(lines.size(), 1)) + 4,
                  "Keys denied most, " + outcome.name};
  std::vector<std::vector<std::string>> cells;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& [id, asked, denied, peak] = lines[i];
    const std::string key{report.trace.keys.key(id)};
    const double y = rows.y(i) + 4;
    const double allowed_width = rows.width(share_of(asked - denied, most));
    drawing.text(rows.left - 10, y + 13, shown_key(key), "end", "name");
    drawing.bar({rows.left, y, allowed_width, 16}, "allowed", grouped(asked - denied) + " allowed");
    drawing.bar({rows.left + allowed_width, y, rows.width(share_of(denied, most)), 16}, "denied",
                grouped(denied) + " denied");
    drawing.text(rows.left + rows.width(share_of(asked, most)) + 8, y + 13,
                 grouped(denied) + " of " + grouped(asked), "start");
    cells.push_back({key, grouped(asked), grouped(denied), grouped(peak)});
  }
  return {
      .title = outcome.name + " denies something to " + counted(outcome.denied_keys, "key"),
      .caption = "The keys that are denied most, and their requests.",
      .drawing = drawing.finish(),
      .table = table({"key", "requests", "denied", "peak in " + length_text(report.demand.period)},
                     cells)};
}

Figure demand_figure(const Report& report) {
  const std::vector<std::uint64_t> counts = by_power(report.demand.peaks);
  const std::uint64_t most = counts.empty() ? 1 : *std::max_element(counts.begin(), counts.end());
  Drawing drawing{kWidth, 260, "Demand per key"};
  const Plane plane = draw_plane(drawing, 14, 218, static_cast<double>(most));
  const double step =
      (kRight - kLeft) / static_cast<double>(std::max<std::size_t>(counts.size(), 1));
  std::vector<std::vector<std::string>> cells;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double x = kLeft + step * static_cast<double>(i);
    const double y = plane.y(static_cast<double>(counts[i]));
    below += counts[i];
    drawing.bar({x + 2, y, step - 4, plane.bottom - y}, "keys",
                grouped(counts[i]) + " keys with a peak of " + power_text(i));
    drawing.text(x + step / 2, 238, power_text(i), "middle");
    cells.push_back({power_text(i), grouped(counts[i]), percent(below, report.trace.keys.size())});
  }
  const std::string period = length_text(report.demand.period);
  return {.title = "How much the keys ask for at their peaks",
          .caption = "Keys by the most that each asked for within any " + period +
                     "; each bar is twice as wide a range as the one before it.",
          .drawing = drawing.finish(),
          .table = table({"peak in " + period, "keys", "keys up to here"}, cells)};
}

Figure choices_figure(const Report& report) {
  constexpr double kRow = 26;
  const Suggestion& suggestion = *report.suggestion;
  const std::uint64_t requests = report.trace.hits.size();
  const Rows rows{200, kRow};
  std::uint64_t most = 1;
  for (const Choice& choice : suggestion.choices) most = std::max(most, choice.denied);
  Drawing drawing{kWidth, kRow * static_cast<double>(suggestion.choices.size()) + 4, "Choices"};
  std::vector<std::vector<std::string>> cells;
  for (std::size_t i = 0; i < suggestion.choices.size(); ++i) {
    const Choice& choice = suggestion.choices[i];
    const double y = rows.y(i) + 4;
    const double width = rows.width(share_of(choice.denied, most));
    drawing.text(rows.left - 10, y + 13,
                 grouped(choice.tokens) + " in " + length_text(suggestion.plan.period), "end",
                 "name");
    drawing.bar({rows.left, y, std::max(width, 1.0), 16}, "denied", "");
    drawing.text(rows.left + width + 8, y + 13, percent(choice.denied, requests), "start");
    cells.push_back({grouped(choice.tokens), grouped(choice.keys_touched),
                     percent(choice.keys_touched, report.trace.keys.size()), grouped(choice.denied),
                     percent(choice.denied, requests)});
  }
  return {.title = "What other limits would do",
          .caption =
              "Requests that a sliding_window of so many would deny. The limits are the "
              "peaks that 50, 75, 90, 95, 98, 99, 99.5, 99.9 and 100 % of the keys stay "
              "within.",
          .drawing = drawing.finish(),
          .table =
              table({"limit", "keys touched", "of keys", "requests denied", "of requests"}, cells)};
}

}  // namespace tidegate::replay
