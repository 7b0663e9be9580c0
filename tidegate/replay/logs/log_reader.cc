#include "tidegate/replay/logs/log_reader.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "tidegate/replay/logs/form.h"
#include "tidegate/replay/logs/lines.h"
#include "tidegate/replay/logs/source.h"

namespace tidegate::replay {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t kLinesToDetect = 64;

// An open file at its first line, its form known.
struct File {
  std::string name;
  Lines lines;
  std::string form_name;
  std::unique_ptr<Form> form;
};

// When a file was written last: the latest that a time without a year may mean.
Time written(const std::string& name) {
  struct stat about {};
  if (name == "-" || stat(name.c_str(), &about) != 0) return kEndOfTime;
  return Time{std::chrono::seconds{about.st_mtim.tv_sec}};
}

Expected<File> open_file(const std::string& name, const ReadOptions& options) {
  Expected<std::unique_ptr<Source>> source = open_source(name);
  if (!source) return tl::unexpected{std::move(source).error()};
  Lines lines{*std::move(source)};
  std::vector<std::string_view> first = lines.first_lines(kLinesToDetect);
  if (lines.failure()) return tl::unexpected{*lines.failure()};
  if (!first.empty() && first.front().starts_with(kByteOrderMark)) first.front().remove_prefix(3);
  std::string form{options.form.empty() ? detect(first) : options.form};
  if (form.empty() && !first.empty() && !options.fields.empty())
    form = first.front().find('{') != std::string_view::npos ? "json" : "csv";
  if (form.empty() && !first.empty())
    return error(name, "none of its first lines is a request of a known form; say --format");
  if (form.empty()) form = "combined";  // an empty file
  Expected<std::unique_ptr<Form>> made = make_form(
      {.form = form, .fields = options.fields, .wanted = options.wanted, .newest = written(name)},
      first.empty() ? std::string_view{} : first.front());
  if (!made) return error(name + ": " + made.error().where, made.error().what);
  return File{name, std::move(lines), std::move(form), *std::move(made)};
}

}  // namespace

struct LogReader::Parts {
  std::vector<std::string> names;
  ReadOptions options;
  std::vector<std::string_view> values;
  std::optional<File> file;
  std::optional<File> pipe;  // standard input, which cannot be opened twice
  std::size_t next_file = 0;
  std::uint64_t line = 0;  // in `file`
  std::string form;
  std::vector<std::string> field_names;
  ReadCounts counts;
  std::vector<std::string> notes;
  std::optional<Error> failure;
  std::uint64_t bytes_before = 0;  // of files that are read
  std::uint64_t bytes_total = 0;

  std::optional<Error> look_at(const std::string& name);
  bool open_next();
  bool next_line(std::string_view& text, bool& cut);
  void count_bad(const char* reason);
};

std::optional<Error> LogReader::Parts::look_at(const std::string& name) {
  if (name == "-" && pipe) return Error{"-", "standard input is named twice"};
  Expected<File> opened = open_file(name, options);
  if (!opened) return std::move(opened).error();
  if (form.empty()) {
    form = opened->form_name;
    field_names = opened->form->field_names();
  } else if (form != opened->form_name) {
    notes.push_back(name + " is of the form " + opened->form_name + ", not " + form);
  }
  if (opened->form_name == "haproxy" && notes.empty())
    notes.emplace_back("HAProxy writes its times without a zone: they are taken for UTC");
  bytes_total += size_of(name);
  if (name == "-") pipe.emplace(*std::move(opened));
  return std::nullopt;
}

bool LogReader::Parts::open_next() {
  if (file) bytes_before += file->lines.bytes_read();
  file.reset();
  line = 0;
  if (next_file == names.size()) return false;
  const std::string& name = names[next_file++];
  if (name == "-") {
    file.emplace(*std::exchange(pipe, std::nullopt));
    return true;
  }
  Expected<File> opened = open_file(name, options);
  if (opened) {
    file.emplace(*std::move(opened));
  } else {
    failure = std::move(opened).error();
  }
  return !failure;
}

// Of any file; false at the end of the last.
bool LogReader::Parts::next_line(std::string_view& text, bool& cut) {
  while (!failure) {
    if (file && file->lines.next(text, cut)) {
      if (++line == 1 && text.starts_with(kByteOrderMark)) text.remove_prefix(3);
      return true;
    }
    if (file && file->lines.failure()) failure = file->lines.failure();
    if (failure || !open_next()) return false;
  }
  return false;
}

void LogReader::Parts::count_bad(const char* reason) {
  ++counts.bad_lines;
  if (counts.first_bad.size() < options.first_bad_lines)
    counts.first_bad.push_back({file->name, line, reason});
}

LogReader::LogReader(std::unique_ptr<Parts> parts) : parts_{std::move(parts)} {}
LogReader::LogReader(LogReader&&) noexcept = default;
LogReader& LogReader::operator=(LogReader&&) noexcept = default;
LogReader::~LogReader() = default;

Expected<LogReader> LogReader::open(std::vector<std::string> files, ReadOptions options) {
  auto parts = std::make_unique<Parts>();
  parts->names = std::move(files);
  parts->options = std::move(options);
  parts->values.resize(parts->options.wanted.size());
  for (const std::string& name : parts->names)
    if (auto problem = parts->look_at(name)) return tl::unexpected{*std::move(problem)};
  if (parts->pipe) parts->bytes_total = 0;
  return LogReader{std::move(parts)};
}

bool LogReader::next(Request& request) {
  Parts& parts = *parts_;
  std::string_view text;
  bool cut = false;
  while (parts.next_line(text, cut)) {
    if (parts.line == 1 && parts.file->form_name == "csv") continue;
    ++parts.counts.lines;
    const char* const problem =
        cut ? "it is longer than 1 MiB" : parts.file->form->read(text, request.at, parts.values);
    if (problem == nullptr) {
      request.fields = parts.values;
      return true;
    }
    parts.count_bad(problem);
  }
  return false;
}

const std::optional<Error>& LogReader::failure() const {
  return parts_->failure;
}

const ReadCounts& LogReader::counts() const {
  return parts_->counts;
}

const std::vector<std::string>& LogReader::notes() const {
  return parts_->notes;
}

std::string_view LogReader::form() const {
  return parts_->form;
}

const std::vector<std::string>& LogReader::field_names() const {
  return parts_->field_names;
}

std::uint64_t LogReader::bytes_read() const {
  return parts_->bytes_before + (parts_->file ? parts_->file->lines.bytes_read() : 0);
}

std::uint64_t LogReader::bytes_total() const {
  return parts_->bytes_total;
}

}  // namespace tidegate::replay
