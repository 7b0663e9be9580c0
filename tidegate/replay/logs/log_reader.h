// Access logs as timed requests: files of any known form, plain or compressed, one after another.
//
//   auto reader = LogReader::open({"access.log.1.gz", "access.log"}, {.wanted = {"client"}});
//   Request request;
//   while (reader->next(request)) count(request.at, request.fields[0]);
//   if (reader->failure()) ...
//
// Requests come in the order of their lines. A line that is no request is counted, with its number
// and the reason, and never ends the run. Thread safety: none. Cost: a line of the combined form
// some 50 ns; memory for a block of each file at a time, whatever their sizes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/base/expected.h"
#include "tidegate/base/time.h"

namespace tidegate::replay {

// A request as its line tells it. The views live until the next call of `next`.
struct Request {
  Time at;
  std::span<const std::string_view> fields;  // in the order of ReadOptions::wanted; "" if absent
};

struct ReadOptions {
  std::string form = {};    // a name, or an nginx log_format as is; "" is detected, for each file
  std::string fields = {};  // of JSON or CSV lines: "time=.ts,client=.ip", further names as wished
  std::vector<std::string> wanted = {};  // names of fields that `next` is to give
  std::size_t first_bad_lines = 10;
};

struct BadLine {
  std::string file;
  std::uint64_t line;  // from 1, in its file
  std::string reason;
};

struct ReadCounts {
  std::uint64_t lines = 0;      // bad ones too
  std::uint64_t bad_lines = 0;  // empty, or not requests
  std::vector<BadLine> first_bad;
};

class LogReader {
 public:
  // "-" is standard input. Every file is opened once here, to know its form and that it has the
  // wanted fields: an error comes before the run and not in it.
  static Expected<LogReader> open(std::vector<std::string> files, ReadOptions options);

  LogReader(LogReader&&) noexcept;
  LogReader& operator=(LogReader&&) noexcept;
  ~LogReader();

  // False at the end, and when a source broke off: see `failure`.
  bool next(Request& request);
  const std::optional<Error>& failure() const;

  const ReadCounts& counts() const;

  // What a user should know of how the lines were read, each a sentence.
  const std::vector<std::string>& notes() const;

  // The form of the first file, as in ReadOptions::form, and the fields that it offers.
  std::string_view form() const;
  const std::vector<std::string>& field_names() const;

  // Bytes of the files as they lie on disk: for progress. The total is 0 when it is not known.
  std::uint64_t bytes_read() const;
  std::uint64_t bytes_total() const;

 private:
  struct Parts;
  explicit LogReader(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace tidegate::replay
