#include "tidegate/replay/page.h"

#include <algorithm>
#include <cmath>

#include "tidegate/replay/figures.h"
#include "tidegate/replay/numbers.h"
#include "tidegate/replay/svg.h"

namespace tidegate::replay {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --paper: #fcfbf8; --ink: #1d2127; --soft: #656c76;
  --grid: #e6e3dc; --card: #f4f2ec; --allowed: #4a7fb5; --denied: #d3603a; --keys: #8a6fb0; }
@media (prefers-color-scheme: dark) { :root { --paper: #15181c; --ink: #e9e6e0; --soft: #9aa1ab;
  --grid: #2b3037; --card: #1d2126; --allowed: #6d9fd4; --denied: #f0865f; --keys: #ab93d0; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { max-width: 1024px; margin: 0 auto; padding: 40px 24px 80px; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 8px; letter-spacing: -0.01em; }
h2 { font-size: 20px; margin: 0 0 4px; letter-spacing: -0.005em; }
p { margin: 0 0 12px; } .soft, figcaption { color: var(--soft); font-size: 14px; }
section, figure { margin: 48px 0 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px;
  margin-top: 28px; }
.card { background: var(--card); border-radius: 10px; padding: 14px 16px; }
.card b { display: block; font-size: 24px; font-weight: 600; font-variant-numeric: tabular-nums; }
.card span { color: var(--soft); font-size: 14px; }
svg { display: block; width: 100%; height: auto; margin: 16px 0 8px; overflow: visible; }
svg text { font-size: 12px; fill: var(--soft); font-variant-numeric: tabular-nums; }
svg text.name { font-size: 13px; fill: var(--ink); }
.grid { stroke: var(--grid); } .axis { stroke: var(--soft); } .track { fill: var(--card); }
.allowed { fill: var(--allowed); } .denied { fill: var(--denied); } .keys { fill: var(--keys); }
.legend { display: flex; gap: 18px; font-size: 14px; color: var(--soft); margin-top: 6px; }
.legend i { display: inline-block; width: 11px; height: 11px; border-radius: 3px;
  margin-right: 6px; } i.allowed { background: var(--allowed); } i.denied { background: var(--denied); }
details { margin-top: 6px; } summary { cursor: pointer; color: var(--soft); font-size: 14px; }
table { border-collapse: collapse; width: 100%; margin-top: 10px; font-size: 14px;
  font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 5px 0 5px 20px; border-bottom: 1px solid var(--grid); }
th:first-child, td:first-child { text-align: left; padding-left: 0; overflow-wrap: anywhere; }
th { font-weight: 500; color: var(--soft); }
pre { background: var(--card); border-radius: 10px; padding: 14px 16px; white-space: pre-wrap;
  font-size: 13px; line-height: 1.45; margin: 8px 0 0; }
.snippets { display: grid; grid-template-columns: repeat(auto-fit, minmax(420px, 1fr)); gap: 14px; }
)";

std::string element(const std::string& tag, const std::string& content) {
  return "<" + tag + ">" + content + "</" + tag.substr(0, tag.find(' ')) + ">\n";
}

std::string words(const std::string& tag, std::string_view text) {
  return element(tag, svg::escaped(text));
}

std::string card(const std::string& number, std::string_view what) {
  return element("div class=\"card\"", "<b>" + svg::escaped(number) + "</b>" + words("span", what));
}

std::string headline(const Report& report) {
  if (report.outcomes.empty()) return "Which limit fits this traffic";
  const Outcome& first = report.outcomes.front();
  return first.name + " would deny " + percent(first.denied, first.allowed + first.denied) +
         " of the requests";
}

std::string when(const Trace& trace) {
  if (trace.hits.empty()) return "No requests.";
  return clock_text(trace.hits.front().at) + " to " + clock_text(trace.hits.back().at) + " UTC, " +
         length_text(trace.span()) + ".";
}

std::string cards(const Report& report) {
  const Trace& trace = report.trace;
  std::string html = card(grouped(trace.hits.size()), "requests") +
                     card(grouped(trace.keys.size()), "keys, by " + report.by);
  if (!report.outcomes.empty())
    html += card(grouped(report.outcomes.front().denied), "requests denied") +
            card(grouped(report.outcomes.front().denied_keys), "keys denied something");
  return element("div class=\"cards\"", html);
}

std::string legend_entry(std::string_view look, std::string_view what) {
  return element("span", "<i class=\"" + std::string{look} + "\"></i>" + std::string{what});
}

std::string legend() {
  return element("div class=\"legend\"",
                 legend_entry("allowed", "admitted") + legend_entry("denied", "denied"));
}

std::string figure(const Figure& figure, bool with_legend = false) {
  return element("figure", words("h2", figure.title) + words("figcaption", figure.caption) +
                               (with_legend ? legend() : "") + figure.drawing +
                               element("details", "<summary>As a table</summary>" + figure.table));
}

// Its own line ends are kept, and no others.
std::string snippet(std::string_view title, std::string_view text) {
  std::string lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines += (begin > 0 ? "\n" : "") + svg::escaped(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return element("div", words("span class=\"soft\"", title) + element("pre", lines));
}

std::string smallest(const Report& report, std::string_view promise, const Choice& choice) {
  const Duration period = report.suggestion->plan.period;
  const Snippets as = snippets(choice.tokens, period, report.by);
  return element("section",
                 words("h2", grouped(choice.tokens) + " in " + length_text(period)) +
                     words("p class=\"soft\"", std::string{promise} + ". It denies " +
                                                   grouped(choice.denied) + " requests of " +
                                                   counted(choice.keys_touched, "key") + ".") +
                     element("div class=\"snippets\"",
                             snippet("a rule of tidegate", as.rule) +
                                 snippet("envoyproxy/ratelimit", as.envoy) +
                                 snippet("nginx: the same rate and burst", as.nginx) +
                                 snippet("redis-cell: the same rate and burst", as.throttle)));
}

std::string suggestion(const Report& report) {
  if (!report.suggestion || report.suggestion->choices.empty()) return {};
  const Suggestion& made = *report.suggestion;
  const auto share = [](double part) {
    return percent(static_cast<std::uint64_t>(std::llround(part * 1e6)), 1'000'000);
  };
  return figure(choices_figure(report)) +
         smallest(
             report,
             "The smallest limit that touches at most " + share(made.plan.touch) + " of the keys",
             *made.by_touch) +
         smallest(
             report,
             "The smallest limit that denies at most " + share(made.plan.deny) + " of the requests",
             *made.by_deny);
}

std::string notes(const Trace& trace) {
  std::string items;
  const auto item = [&](std::uint64_t count, const std::string& what) {
    if (count > 0) items += words("li", grouped(count) + " " + what);
  };
  if (trace.read.bad_lines > 0)
    items += words("li", counted(trace.read.bad_lines, "line") + " could not be read");
  item(trace.left_out, "lines were left out by --where");
  item(trace.without_cost, "lines had no cost that is a number, and were left out");
  item(trace.out_of_order, "lines were out of order, and were put right");
  item(trace.refused, trace.refused_left_out > 0
                          ? "requests that the server itself refused (429, 503) were left out"
                          : "requests were refused by the server itself (429, 503); they count "
                            "as demand");
  for (const std::string& note : trace.notes) items += words("li", note);
  for (const auto& [file, line, reason] : trace.read.first_bad) {
    std::string text = "bad line ";
    text.append(file).append(":").append(std::to_string(line)).append(": ").append(reason);
    items += words("li", text);
  }
  if (items.empty()) return {};
  return element("section",
                 words("h2", "How the log was read") + element("ul class=\"soft\"", items));
}

std::string figures(const Report& report) {
  std::string html;
  if (!report.outcomes.empty()) html += figure(limits_figure(report));
  for (const Outcome& outcome : report.outcomes) html += figure(time_figure(report, outcome), true);
  for (const Outcome& outcome : report.outcomes)
    if (outcome.denied > 0) html += figure(keys_figure(report, outcome), true);
  return html + figure(demand_figure(report));
}

}  // namespace

std::string as_page(const Report& report) {
  const std::string title = headline(report);
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
         words("title", title) + element("style", std::string{kStyle}) + "</head><body><main>\n" +
         words("h1", title) + words("p class=\"soft\"", when(report.trace)) + cards(report) +
         figures(report) + suggestion(report) + notes(report.trace) + "</main></body></html>\n";
}

}  // namespace tidegate::replay
