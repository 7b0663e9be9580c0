#include <cstdio>

#include "tidegate/base/json_string.h"
#include "tidegate/replay/report.h"

namespace tidegate::replay {
namespace {

constexpr std::size_t kTopKeys = 20;

// Writes one JSON value, member by member. Commas come by themselves.
class Json {
 public:
  Json& open(char bracket) {
    comma();
    text_ += bracket;
    first_ = true;
    return *this;
  }
  Json& close(char bracket) {
    text_ += bracket;
    first_ = false;
    return *this;
  }
  Json& name(std::string_view name) {
    comma();
    append_json_string(text_, name);
    text_ += ':';
    first_ = true;
    return *this;
  }
  Json& number(std::string_view named, std::uint64_t value) {
    return name(named).raw(std::to_string(value));
  }
  Json& number(std::string_view named, double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.6g", value);
    return name(named).raw(digits);
  }
  Json& text(std::string_view named, std::string_view value) { return name(named).text(value); }
  Json& text(std::string_view value) {
    comma();
    append_json_string(text_, value);
    return *this;
  }
  Json& raw(std::string_view value) {
    comma();
    text_ += value;
    return *this;
  }
  std::string&& take() { return std::move(text_); }

 private:
  void comma() {
    if (!first_) text_ += ',';
    first_ = false;
  }

  std::string text_;
  bool first_ = true;
};

void write_counts(Json& json, const Outcome& outcome) {
  json.number("allowed", outcome.allowed)
      .number("denied", outcome.denied)
      .number("denied_keys", outcome.denied_keys);
}

void write_lines(Json& json, const Trace& trace) {
  json.number("lines", trace.read.lines)
      .number("bad_lines", trace.read.bad_lines)
      .number("requests", trace.hits.size())
      .number("keys", std::uint64_t{trace.keys.size()})
      .number("left_out", trace.left_out)
      .number("without_cost", trace.without_cost)
      .number("refused", trace.refused)
      .number("refused_left_out", trace.refused_left_out)
      .number("out_of_order", trace.out_of_order);
  if (!trace.hits.empty())
    json.number("first_us",
                static_cast<std::uint64_t>(trace.hits.front().at.time_since_epoch().count()))
        .number("last_us",
                static_cast<std::uint64_t>(trace.hits.back().at.time_since_epoch().count()));
}

void write_bad_lines(Json& json, const Trace& trace) {
  json.name("first_bad_lines").open('[');
  for (const auto& [file, line, reason] : trace.read.first_bad)
    json.open('{').text("file", file).number("line", line).text("reason", reason).close('}');
  json.close(']').name("notes").open('[');
  for (const std::string& note : trace.notes) json.text(note);
  json.close(']');
}

void write_outcome(Json& json, const Report& report, const Outcome& outcome) {
  json.open('{').text("limit", outcome.name);
  write_counts(json, outcome);
  json.name("top_denied").open('[');
  for (const auto& [key, requests, denied, peak] : most_denied(report, outcome, kTopKeys))
    json.open('{')
        .text("key", report.trace.keys.key(key))
        .number("requests", requests)
        .number("denied", denied)
        .number("peak", peak)
        .close('}');
  json.close(']').close('}');
}

void write_choice(Json& json, const Choice& choice) {
  json.number("tokens", choice.tokens)
      .number("percentile_of_keys", 100 * choice.percentile)
      .number("denied", choice.denied)
      .number("keys_touched", choice.keys_touched);
}

void write_smallest(Json& json, const Report& report, std::string_view name, const Choice& choice) {
  const Snippets words = snippets(choice.tokens, report.suggestion->plan.period, report.by);
  json.name(name).open('{');
  write_choice(json, choice);
  json.text("rule", words.rule)
      .text("nginx", words.nginx)
      .text("throttle", words.throttle)
      .text("envoy", words.envoy)
      .close('}');
}

void write_suggestion(Json& json, const Report& report) {
  const Suggestion& suggestion = *report.suggestion;
  json.name("suggestion")
      .open('{')
      .number("period_us", static_cast<std::uint64_t>(suggestion.plan.period.count()));
  json.name("choices").open('[');
  for (const Choice& choice : suggestion.choices) {
    json.open('{');
    write_choice(json, choice);
    json.close('}');
  }
  json.close(']');
  if (suggestion.by_touch) write_smallest(json, report, "by_touch", *suggestion.by_touch);
  if (suggestion.by_deny) write_smallest(json, report, "by_deny", *suggestion.by_deny);
  json.close('}');
}

}  // namespace

std::string as_json(const Report& report) {
  Json json;
  json.open('{');
  write_lines(json, report.trace);
  if (report.outcomes.size() == 1) write_counts(json, report.outcomes.front());
  json.name("limits").open('[');
  for (const Outcome& outcome : report.outcomes) write_outcome(json, report, outcome);
  json.close(']');
  if (report.suggestion) write_suggestion(json, report);
  write_bad_lines(json, report.trace);
  return json.close('}').take() + "\n";
}

}  // namespace tidegate::replay
