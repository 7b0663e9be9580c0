#include <algorithm>

#include "tidegate/replay/numbers.h"
#include "tidegate/replay/report.h"

namespace tidegate::replay {
namespace {

constexpr std::size_t kTopKeys = 5;

// A table whose columns are as wide as what is in them; numbers stand to the right.
class Table {
 public:
  using Row = std::vector<std::string>;
  explicit Table(Row head) : rows_{std::move(head)} {}

  void add(Row row) { rows_.push_back(std::move(row)); }

  std::string text() const {
    std::string text;
    for (const Row& row : rows_) {
      std::string line = "  " + padded(row[0], width(0), false);
      for (std::size_t i = 1; i < row.size(); ++i) line += "  " + padded(row[i], width(i), true);
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
  }

 private:
  std::size_t width(std::size_t column) const {
    std::size_t widest = 0;
    for (const Row& row : rows_) widest = std::max(widest, row[column].size());
    return widest;
  }
  static std::string padded(const std::string& cell, std::size_t width, bool right) {
    const std::string blanks(width - cell.size(), ' ');
    return right ? blanks + cell : cell + blanks;
  }

  std::vector<Row> rows_;
};

// Keys are outside bytes; a terminal shows them, and does not obey them.
std::string printable(std::string_view key) {
  constexpr std::size_t kMost = 48;
  std::string text{key.substr(0, kMost)};
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return text.empty() ? "(empty)" : text + (key.size() > kMost ? "..." : "");
}

std::string also(std::uint64_t count, const char* what) {
  return count == 0 ? "" : ", " + grouped(count) + " " + what;
}

std::string summary(const Report& report) {
  const Trace& trace = report.trace;
  std::string text = grouped(trace.read.lines) + " lines, " + grouped(trace.hits.size()) +
                     " requests by " + grouped(trace.keys.size()) + " keys (" + report.by + ")";
  text += also(trace.read.bad_lines, trace.read.bad_lines == 1 ? "bad line" : "bad lines") +
          also(trace.left_out, "left out") + also(trace.without_cost, "without a cost") +
          also(trace.out_of_order, "out of order, put right") + "\n";
  if (!trace.hits.empty())
    text += clock_text(trace.hits.front().at) + " to " + clock_text(trace.hits.back().at) +
            " UTC, " + length_text(trace.span()) + "\n";
  if (trace.refused > 0)
    text += grouped(trace.refused) + " requests the server itself refused (429, 503): " +
            (trace.refused_left_out > 0 ? "left out"
                                        : "they count as demand; --refused skip "
                                          "leaves them out") +
            "\n";
  for (const std::string& note : trace.notes) text += note + "\n";
  for (const auto& [file, line, reason] : trace.read.first_bad)
    text += "  bad line " + file + ":" + std::to_string(line) + ": " + reason + "\n";
  return text;
}

std::string limits(const Report& report) {
  if (report.outcomes.empty()) return {};
  Table table{{"limit", "allowed", "denied", "", "keys denied", ""}};
  for (const Outcome& outcome : report.outcomes)
    table.add({outcome.name, grouped(outcome.allowed), grouped(outcome.denied),
               percent(outcome.denied, outcome.allowed + outcome.denied),
               grouped(outcome.denied_keys),
               percent(outcome.denied_keys, report.trace.keys.size())});
  return "\n" + table.text();
}

std::string top_keys(const Report& report, const Outcome& outcome) {
  const std::vector<KeyLine> lines = most_denied(report, outcome, kTopKeys);
  if (lines.empty()) return {};
  Table table{{"most denied by " + outcome.name, "denied", "of",
               "peak in " + length_text(report.demand.period)}};
  for (const auto& [key, requests, denied, peak] : lines)
    table.add(
        {printable(report.trace.keys.key(key)), grouped(denied), grouped(requests), grouped(peak)});
  return "\n" + table.text();
}

std::string indented(const std::string& text) {
  std::string lines = "    ";
  for (const char c : text) lines += c == '\n' ? std::string{"\n    "} : std::string{c};
  return lines + "\n";
}

std::string smallest(const Report& report, const std::string& promise, const Choice& choice) {
  const Duration period = report.suggestion->plan.period;
  const Snippets words = snippets(choice.tokens, period, report.by);
  return "\n" + promise + ": " + grouped(choice.tokens) + " in " + length_text(period) +
         " (denies " + counted(choice.denied, "request") + " of " +
         counted(choice.keys_touched, "key") + ")\n" + indented(words.rule) +
         indented(words.nginx) + indented(words.throttle) + indented(words.envoy);
}

std::string suggestion(const Report& report) {
  if (!report.suggestion || report.suggestion->choices.empty()) return {};
  const Suggestion& suggestion = *report.suggestion;
  const std::uint64_t keys = report.trace.keys.size();
  const std::uint64_t requests = report.trace.hits.size();
  Table table{{"limit in " + length_text(suggestion.plan.period), "keys spared", "keys touched",
               "requests denied", ""}};
  for (const Choice& choice : suggestion.choices)
    table.add({grouped(choice.tokens), percent(keys - choice.keys_touched, keys),
               grouped(choice.keys_touched), grouped(choice.denied),
               percent(choice.denied, requests)});
  const auto share = [](double part) {
    return percent(static_cast<std::uint64_t>(part * 1e6 + 0.5), 1'000'000);
  };
  return "\n" + table.text() +
         smallest(
             report,
             "the smallest that touches at most " + share(suggestion.plan.touch) + " of the keys",
             *suggestion.by_touch) +
         smallest(
             report,
             "the smallest that denies at most " + share(suggestion.plan.deny) + " of the requests",
             *suggestion.by_deny);
}

}  // namespace

std::string as_text(const Report& report) {
  std::string text = summary(report) + limits(report);
  for (const Outcome& outcome : report.outcomes) text += top_keys(report, outcome);
  return text + suggestion(report);
}

}  // namespace tidegate::replay
