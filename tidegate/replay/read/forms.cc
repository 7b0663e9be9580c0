#include "tidegate/replay/read/forms.h"

#include <algorithm>
#include <utility>

#include "tidegate/base/quote.h"
#include "tidegate/replay/read/combined.h"
#include "tidegate/replay/read/csv.h"
#include "tidegate/replay/read/json_lines.h"
#include "tidegate/replay/read/log_format.h"
#include "tidegate/replay/read/words_form.h"

namespace tidegate::replay {
namespace {

// What a form is told by: so many lines of a file, and no more.
constexpr std::size_t kSampleLines = 100;

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct Named {
  std::string_view name;
  Form (*make)();
};

// The special before the general: of those that read the same lines the first is taken.
constexpr Named kForms[] = {{"combined", combined_form}, {"traefik", traefik_form},
                            {"caddy", caddy_form},       {"envoy", envoy_form},
                            {"json", json_form},         {"aws_alb", aws_alb_form},
                            {"haproxy", haproxy_form}};

std::vector<std::string_view> lines_of(std::string_view sample) {
  std::vector<std::string_view> lines;
  while (!sample.empty() && lines.size() < kSampleLines) {
    std::string_view line = sample.substr(0, sample.find('\n'));
    sample.remove_prefix(std::min(line.size() + 1, sample.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

std::string_view header_of(std::string_view sample) {
  const auto lines = lines_of(sample);
  return lines.empty() ? std::string_view{} : lines.front();
}

std::size_t lines_read_by(const Form& form, const std::vector<std::string_view>& lines) {
  auto reader = LineReader::make(form, {}, kEndOfTime);
  if (!reader) return 0;
  Time at;
  return static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.end(),
                    [&](std::string_view line) { return reader->read(line, at, {}) == nullptr; }));
}

Error no_form(std::string_view sample) {
  std::string names;
  for (const std::string& name : form_names()) names += (names.empty() ? "" : ", ") + name;
  return {"its first lines", "are of no known form (" + names + "), the first is " +
                                 quoted(header_of(sample)) +
                                 "; name a form, give an nginx log_format, or --fields"};
}

Expected<Form> detect(std::string_view sample) {
  if (sample.empty()) return combined_form();
  const auto lines = lines_of(sample);
  std::size_t most = 0;
  std::optional<Form> best;
  const auto consider = [&](Form form) {
    const std::size_t count = lines_read_by(form, lines);
    if (count <= most) return;
    most = count;
    best = std::move(form);
  };
  for (const Named& named : kForms) consider(named.make());
  if (auto csv = csv_form(lines.front(), {})) consider(*std::move(csv));
  if (!best) return tl::unexpected{no_form(sample)};
  return *std::move(best);
}

// time=.ts,client=.ip
Expected<Pairs> read_pairs(std::string_view fields) {
  Pairs pairs;
  while (!fields.empty()) {
    const std::string_view pair = fields.substr(0, fields.find(','));
    fields.remove_prefix(std::min(pair.size() + 1, fields.size()));
    const std::size_t equals = pair.find('=');
    if (equals == 0 || equals == std::string_view::npos || equals + 1 == pair.size())
      return error("--fields",
                   "expected FIELD=PATH, as in time=.ts,client=.ip, got " + quoted(pair));
    pairs.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return pairs;
}

bool are_paths(const Pairs& pairs) {
  return std::all_of(pairs.begin(), pairs.end(),
                     [](const auto& pair) { return pair.second.starts_with('.'); });
}

Expected<Form> form_of_fields(std::string_view fields, std::string_view sample) {
  const auto pairs = read_pairs(fields);
  if (!pairs) return tl::unexpected{pairs.error()};
  return are_paths(*pairs) ? json_form_of(*pairs) : csv_form(header_of(sample), *pairs);
}

Expected<Form> form_named(std::string_view name, std::string_view sample) {
  if (name == "csv") return csv_form(header_of(sample), {});
  if (name == "common" || name == "nginx" || name == "apache") return combined_form();
  for (const Named& named : kForms)
    if (named.name == name) return named.make();
  std::string names;
  for (const std::string& known : form_names()) names += (names.empty() ? "" : ", ") + known;
  return error("form " + quoted(name), "expected one of " + names +
                                           ", or an nginx log_format, such as '$remote_addr - "
                                           "$remote_user [$time_local] ...'");
}

}  // namespace

const std::vector<std::string>& form_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Named& named : kForms) all.emplace_back(named.name);
    all.emplace_back("csv");
    return all;
  }();
  return names;
}

Expected<Form> choose_form(const FormChoice& choice) {
  if (!choice.fields.empty()) return form_of_fields(choice.fields, choice.sample);
  if (choice.form.find('$') != std::string_view::npos) return log_format_form(choice.form);
  if (!choice.form.empty()) return form_named(choice.form, choice.sample);
  return detect(choice.sample);
}

}  // namespace tidegate::replay
