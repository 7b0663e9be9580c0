// The grammar of limits: reads any bytes without harm, prints what reads back as the same, and
// refuses with a place inside of the text and a message of one line.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tidegate/algorithm/limit.h"

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

void check_printed(const tidegate::Limit& limit) {
  const auto again = tidegate::Limit::parse(limit.to_string());
  require(again.has_value() && *again == limit, "what is printed reads back as the same");
}

bool one_printable_line(std::string_view text) {
  for (const char c : text)
    if (c < 0x20 || c > 0x7e) return false;
  return true;
}

void check_refused(std::string_view text, const tidegate::Error& error) {
  const tidegate::grammar::Outcome read = tidegate::grammar::read_limit(text);
  require(read.problem != nullptr && read.at <= text.size(), "the column lies in the text");
  require(error.where.ends_with(", column " + std::to_string(read.at + 1)), "the column is named");
  require(one_printable_line(error.message()), "the message is one line");
  require(error.message().size() < 1000, "the message is short");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto limit = tidegate::Limit::parse(text);
  if (limit) {
    check_printed(*limit);
  } else {
    check_refused(text, limit.error());
  }
  const auto duration = tidegate::grammar::read_duration(text);
  require(duration.problem != nullptr || (duration.spec.period >= tidegate::Duration{1} &&
                                          duration.spec.period <= tidegate::kMaxPeriod),
          "a duration lies in the box");
  return 0;
}
