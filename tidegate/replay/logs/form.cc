#include "tidegate/replay/logs/form.h"

#include <array>

#include "tidegate/base/quote.h"
#include "tidegate/replay/logs/forms.h"

namespace tidegate::replay {
namespace {

// In the order of detection: the first of those that read the most lines is taken.
constexpr std::array<std::string_view, 5> kNames = {"combined", "json", "alb", "haproxy", "csv"};

// How many of these lines are requests of this form.
std::size_t requests_in(std::span<const std::string_view> lines, std::string_view name) {
  const auto form = make_form({.form = name, .fields = {}, .wanted = {}, .newest = kEndOfTime},
                              lines.empty() ? std::string_view{} : lines.front());
  if (!form) return 0;
  std::size_t requests = 0;
  Time at{};
  for (const std::string_view line : lines) requests += (*form)->read(line, at, {}) == nullptr;
  return requests;
}

}  // namespace

std::span<const std::string_view> form_names() {
  return kNames;
}

Expected<std::unique_ptr<Form>> make_form(const FormOptions& options, std::string_view header) {
  if (options.form == "combined" || options.form == "common") return make_combined(options);
  if (options.form == "json") return make_json(options);
  if (options.form == "alb") return make_alb(options);
  if (options.form == "haproxy") return make_haproxy(options);
  if (options.form == "csv") return make_csv(options, header);
  if (options.form.find('$') != std::string_view::npos) return make_log_format(options);
  return error(
      "--format " + quoted(options.form),
      "expected combined, json, alb, haproxy, csv, or an nginx log_format with $variables");
}

std::string_view detect(std::span<const std::string_view> lines) {
  std::string_view best;
  std::size_t most = 0;
  for (const std::string_view name : kNames)
    if (const std::size_t requests = requests_in(lines, name); requests > most) {
      most = requests;
      best = name;
    }
  return best;
}

}  // namespace tidegate::replay
