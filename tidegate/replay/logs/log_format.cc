// An nginx log_format as it stands in its configuration: texts and $variables.
#include <algorithm>
#include <utility>

#include "tidegate/base/quote.h"
#include "tidegate/replay/logs/columns.h"
#include "tidegate/replay/logs/forms.h"
#include "tidegate/replay/logs/time_text.h"

namespace tidegate::replay {
namespace {

// `before` it, then the variable, up to what is before the next one.
struct Part {
  std::string before;
  std::string variable;
};

struct Format {
  std::vector<Part> parts;
  std::string after;
};

bool of_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// A whole directive, log_format main '...' '...'; is the texts in its quotes, joined.
std::string joined(std::string_view text) {
  if (!text.starts_with("log_format") && !text.starts_with('\'')) return std::string{text};
  std::string all;
  for (std::size_t open = text.find('\''); open < text.size(); open = text.find('\'', open + 1)) {
    const std::size_t close = std::min(text.find('\'', open + 1), text.size());
    all += text.substr(open + 1, close - open - 1);
    open = close;
  }
  return all;
}

Format read_format(std::string_view text) {
  Format format;
  std::string literal;
  while (!text.empty()) {
    const bool variable =
        text.size() > 1 && text[0] == '$' && (of_a_name(text[1]) || text[1] == '{');
    if (!variable) {
      literal += text.front();
      text.remove_prefix(1);
      continue;
    }
    text.remove_prefix(1);
    const bool braced = text.front() == '{';
    if (braced) text.remove_prefix(1);
    const auto* end = std::find_if_not(text.begin(), text.end(), of_a_name);
    const auto size = static_cast<std::size_t>(end - text.begin());
    format.parts.push_back({std::exchange(literal, {}), std::string{text.substr(0, size)}});
    text.remove_prefix(std::min(size + braced, text.size()));
  }
  format.after = literal;
  return format;
}

// Our names for what nginx calls otherwise.
struct Alias {
  std::string_view field;
  std::string_view variable;
  Shape shape;
};
constexpr Alias kAliases[] = {
    {"client", "remote_addr", Shape::kAddress},
    {"client", "http_x_forwarded_for", Shape::kAddress},
    {"client", "realip_remote_addr", Shape::kAddress},
    {"user", "remote_user", Shape::kText},
    {"host", "host", Shape::kHost},
    {"host", "http_host", Shape::kHost},
    {"host", "server_name", Shape::kHost},
    {"method", "request_method", Shape::kText},
    {"first_client", "http_x_forwarded_for", Shape::kFirst},
    {"method", "request", Shape::kMethod},
    {"path", "uri", Shape::kPath},
    {"path", "request_uri", Shape::kPath},
    {"path", "request", Shape::kRequestPath},
    {"uri", "request_uri", Shape::kUri},
    {"uri", "request", Shape::kRequestUri},
    {"query", "args", Shape::kText},
    {"query", "query_string", Shape::kText},
    {"query", "request", Shape::kRequestQuery},
    {"protocol", "server_protocol", Shape::kText},
    {"protocol", "request", Shape::kProtocol},
    {"bytes", "body_bytes_sent", Shape::kText},
    {"bytes", "bytes_sent", Shape::kText},
    {"referer", "http_referer", Shape::kText},
    {"agent", "http_user_agent", Shape::kText},
    {"time", "time_local", Shape::kText},
    {"time", "time_iso8601", Shape::kText},
    {"time", "msec", Shape::kText},
};

std::size_t part_of(const Format& format, std::string_view variable) {
  const auto found = std::find_if(format.parts.begin(), format.parts.end(),
                                  [&](const Part& part) { return part.variable == variable; });
  return static_cast<std::size_t>(found - format.parts.begin());
}

class LogFormat final : public Form {
 public:
  LogFormat(Format format, std::vector<Pick> picks, std::size_t time, Time newest)
      : format_{std::move(format)},
        picks_{std::move(picks)},
        time_{time},
        times_{newest},
        columns_(format_.parts.size()) {}

  const char* read(std::string_view line, Time& at, std::span<std::string_view> values) override {
    for (std::size_t i = 0; i < format_.parts.size(); ++i) {
      if (!line.starts_with(format_.parts[i].before)) return "it is not as the log_format says";
      line.remove_prefix(format_.parts[i].before.size());
      const bool last = i + 1 == format_.parts.size();
      const std::size_t end =
          end_of(line, last ? format_.after : format_.parts[i + 1].before, last);
      if (end == std::string_view::npos) return "it ends before the log_format does";
      columns_[i] = line.substr(0, end);
      line.remove_prefix(end);
    }
    if (line != format_.after) return "it goes on after the log_format ends";
    if (!times_.read(columns_[time_], at)) return "its time is none";
    give(picks_, columns_, values);
    return nullptr;
  }

  std::vector<std::string> field_names() const override {
    std::vector<std::string> names;
    for (const Part& part : format_.parts) names.push_back(part.variable);
    for (const Alias& alias : kAliases)
      if (std::find(names.begin(), names.end(), alias.field) == names.end() &&
          part_of(format_, alias.variable) < format_.parts.size())
        names.emplace_back(alias.field);
    return names;
  }

 private:
  static std::size_t end_of(std::string_view line, const std::string& next, bool last) {
    if (!last) return next.empty() ? line.size() : line.find(next);
    return line.ends_with(next) ? line.size() - next.size() : std::string_view::npos;
  }

  Format format_;
  std::vector<Pick> picks_;
  std::size_t time_;
  TimeReader times_;
  std::vector<std::string_view> columns_;
};

Expected<Pick> pick_of(const Format& format, std::string_view field) {
  if (const std::size_t part = part_of(format, field); part < format.parts.size())
    return Pick{part, Shape::kText};
  for (const Alias& alias : kAliases)
    if (const std::size_t part = part_of(format, alias.variable);
        alias.field == field && part < format.parts.size())
      return Pick{part, alias.shape};
  std::string all;
  for (const Part& part : format.parts) all += (all.empty() ? "$" : ", $") + part.variable;
  return error("field " + quoted(field), "the log_format has " + all);
}

}  // namespace

Expected<std::unique_ptr<Form>> make_log_format(const FormOptions& options) {
  Format format = read_format(joined(options.form));
  for (std::size_t i = 1; i < format.parts.size(); ++i)
    if (format.parts[i].before.empty())
      return error("--format", "$" + format.parts[i - 1].variable + " and $" +
                                   format.parts[i].variable + " have nothing between them");
  std::vector<Pick> picks;
  for (const std::string& field : options.wanted) {
    const Expected<Pick> pick = pick_of(format, field);
    if (!pick) return tl::unexpected{pick.error()};
    picks.push_back(*pick);
  }
  const Expected<Pick> time = pick_of(format, "time");
  if (!time)
    return error("--format", "the log_format has no time: $time_local, $time_iso8601 or $msec");
  return std::make_unique<LogFormat>(std::move(format), std::move(picks), time->column,
                                     options.newest);
}

}  // namespace tidegate::replay
