// Every form of log lines: the first byte chooses one, the first line of the rest is a header for
// CSV, and each line is read for the fields that the form names. Whatever the bytes, it reads
// within them, says what is wrong in one sentence, finds a time within the range, and reads the
// same line the same again.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/replay/logs/form.h"

namespace {

using tidegate::Time;
using tidegate::replay::Form;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

std::unique_ptr<Form> form_of(std::string_view name, std::vector<std::string> wanted,
                              std::string_view header) {
  auto form = tidegate::replay::make_form(
      {.form = name, .fields = {}, .wanted = std::move(wanted), .newest = tidegate::kEndOfTime},
      header);
  return form ? *std::move(form) : nullptr;
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(line.size() + (line.size() < text.size() ? 1 : 0));
  return line;
}

struct Read {
  const char* problem;
  Time at;
  std::vector<std::string> values;

  bool operator==(const Read&) const = default;
};

Read read_line(Form& form, std::string_view line, std::size_t fields) {
  const std::string copy{line};  // so that reading beyond it is seen
  std::vector<std::string_view> values(fields);
  Read read{nullptr, {}, {}};
  read.problem = form.read(copy, read.at, values);
  if (read.problem == nullptr) read.values.assign(values.begin(), values.end());
  if (read.problem != nullptr) read.at = {};
  return read;
}

void check_line(Form& form, std::string_view line, std::size_t fields) {
  const Read read = read_line(form, line, fields);
  require(read.problem == nullptr || std::string_view{read.problem}.size() < 80, "a short reason");
  require(read.at >= Time{} && read.at <= tidegate::kEndOfTime, "a time within the range");
  for (const std::string& value : read.values)
    require(value.size() <= line.size(), "no value longer than its line");
  read_line(form, "x", fields);
  require(read_line(form, line, fields) == read, "the same line reads the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array<std::string_view, 6> kForms{
      "combined", "json", "alb",
      "haproxy",  "csv",  R"($remote_addr - $remote_user [$time_local] "$request" $status $host)"};
  if (size < 2) return 0;
  std::string_view text{reinterpret_cast<const char*>(data) + 1, size - 1};
  const std::string_view name = kForms[data[0] % kForms.size()];
  const std::string_view header = name == "csv" ? take_line(text) : std::string_view{};
  const auto names = form_of(name, {}, header);
  if (names == nullptr) return 0;
  const std::vector<std::string> fields = names->field_names();
  const auto form = form_of(name, fields, header);
  require(form != nullptr, "a form has the fields that it names");
  while (!text.empty()) check_line(*form, take_line(text), fields.size());
  return 0;
}
