#include "tidegate/replay/read/log_reader.h"

#include <algorithm>

#include "tidegate/replay/read/forms.h"
#include "tidegate/replay/read/lines.h"

namespace tidegate::replay {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// A file with its form known, at its first line.
struct Opened {
  std::string name;
  Form form;
  LineReader reader;
  Lines lines;
};

Error of_file(const std::string& path, Error problem) {
  return {path + ": " + problem.where, std::move(problem.what)};
}

Expected<Opened> open_file(const std::string& path, const ReadOptions& options) {
  auto source = Source::open(path);
  if (!source) return tl::unexpected{source.error()};
  const Time newest = (*source)->file().changed();
  Lines lines{*std::move(source)};
  std::string_view sample = lines.look_ahead();
  if (sample.starts_with(kByteOrderMark)) sample.remove_prefix(kByteOrderMark.size());
  if (sample.empty() && lines.failure()) return tl::unexpected{*lines.failure()};
  auto form = choose_form({.form = options.form, .fields = options.fields, .sample = sample});
  if (!form) return tl::unexpected{of_file(path, form.error())};
  auto reader = LineReader::make(*form, options.wanted, newest);
  if (!reader) return tl::unexpected{of_file(path, reader.error())};
  return Opened{path, *std::move(form), *std::move(reader), std::move(lines)};
}

std::vector<std::string> names_of(const Form& form) {
  std::vector<std::string> names;
  for (const Field& field : form.fields) names.push_back(field.name);
  return names;
}

}  // namespace

struct LogReader::Parts {
  std::vector<std::string> files;
  ReadOptions options;
  std::vector<std::string_view> fields;  // of the request given last

  std::optional<Opened> now;   // the file that is being read
  std::optional<Opened> pipe;  // standard input cannot be opened twice
  std::size_t next_file = 0;
  std::uint64_t line = 0;  // of `now`

  std::string form;
  std::vector<std::string> field_names;
  ReadCounts counts;
  std::vector<std::string> notes;
  std::optional<Error> failure;
  std::uint64_t bytes_done = 0;  // of files before `now`
  std::uint64_t bytes_total = 0;

  std::optional<Error> look_at(const std::string& path);
  bool open_next();
  bool next_line(std::string_view& text);
  void count_bad(std::string reason);
};

// Opens a file for its form's sake, and keeps it only if it is the pipe.
std::optional<Error> LogReader::Parts::look_at(const std::string& path) {
  if (path == "-" && pipe) return Error{"-", "standard input is named twice"};
  auto opened = open_file(path, options);
  if (!opened) return opened.error();
  if (form.empty()) {
    form = opened->form.name;
    field_names = names_of(opened->form);
  }
  if (opened->form.name != form)
    notes.push_back(path + " is of the form " + opened->form.name + ", not " + form);
  bytes_total += opened->lines.source().file().size();
  if (path == "-") pipe.emplace(*std::move(opened));
  return std::nullopt;
}

bool LogReader::Parts::open_next() {
  if (now) bytes_done += now->lines.source().file().position();
  now.reset();
  if (next_file == files.size()) return false;
  const std::string& path = files[next_file++];
  line = 0;
  if (path == "-") {
    now = std::move(pipe);
    pipe.reset();
    return true;
  }
  auto opened = open_file(path, options);
  if (!opened) {
    failure = opened.error();
    return false;
  }
  now.emplace(*std::move(opened));
  return true;
}

// Of any file; false at the end of the last.
bool LogReader::Parts::next_line(std::string_view& text) {
  while (!failure) {
    if (now && now->lines.next(text)) {
      if (++line == 1 && text.starts_with(kByteOrderMark)) text.remove_prefix(3);
      return true;
    }
    if (now && now->lines.failure()) failure = now->lines.failure();
    if (failure || !open_next()) return false;
  }
  return false;
}

void LogReader::Parts::count_bad(std::string reason) {
  ++counts.bad_lines;
  if (counts.first_bad.size() < options.first_bad_lines)
    counts.first_bad.push_back({now->name, line, std::move(reason)});
}

LogReader::LogReader(std::unique_ptr<Parts> parts) : parts_{std::move(parts)} {}
LogReader::LogReader(LogReader&&) noexcept = default;
LogReader& LogReader::operator=(LogReader&&) noexcept = default;
LogReader::~LogReader() = default;

Expected<LogReader> LogReader::open(std::vector<std::string> files, ReadOptions options) {
  auto parts = std::make_unique<Parts>();
  parts->fields.resize(options.wanted.size());
  parts->files = std::move(files);
  parts->options = std::move(options);
  for (const std::string& path : parts->files)
    if (auto problem = parts->look_at(path)) return tl::unexpected{*std::move(problem)};
  if (parts->pipe) parts->bytes_total = 0;
  return LogReader{std::move(parts)};
}

bool LogReader::next(Request& request) {
  Parts& parts = *parts_;
  std::string_view text;
  while (parts.next_line(text)) {
    if (parts.line == 1 && parts.now->form.has_header) continue;
    ++parts.counts.lines;
    const Problem problem = parts.now->lines.was_too_long()
                                ? "it is longer than a line may be: 1 MiB"
                            : text.empty() ? "it is empty"
                                           : parts.now->reader.read(text, request.at, parts.fields);
    if (problem == nullptr) {
      request.fields = parts.fields;
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
  return parts_->bytes_done + (parts_->now ? parts_->now->lines.source().file().position() : 0);
}

std::uint64_t LogReader::bytes_total() const {
  return parts_->bytes_total;
}

}  // namespace tidegate::replay
