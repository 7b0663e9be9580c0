// A progress bar on a terminal: how far, how fast, how long still. On anything else it is silent.
//
// Thread safety: none. Cost: a clock reading a call, and ten lines a second at most.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tidegate/base/clock.h"
#include "tidegate/cli/io.h"

namespace tidegate::cli {

class Progress {
 public:
  // Draws on `to` when that is a terminal.
  Progress(int fd, Output& to, const Clock& clock);
  ~Progress();  // takes the bar away
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `of` 0: it is not known how much there is.
  void show(std::uint64_t done, std::uint64_t of, std::uint64_t count, std::string_view what);

 private:
  Output& to_;
  const Clock& clock_;
  const bool shown_;
  const Time started_;
  Time next_{};
  bool drawn_ = false;
};

// The line itself: `[#####     ]  52 %  12.3 M lines  1.9 M/s  6 s left`.
std::string progress_line(std::uint64_t done, std::uint64_t of, std::uint64_t count,
                          std::string_view what, Duration elapsed);

}  // namespace tidegate::cli
