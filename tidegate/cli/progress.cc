#include "tidegate/cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace tidegate::cli {
namespace {

constexpr Duration kBetween = std::chrono::milliseconds{100};
constexpr std::string_view kBack = "\r\x1b[K";  // to the start of the line, which is cleared

std::string scaled(double number) {
  constexpr const char* kUnits[] = {"", " k", " M", " G"};
  std::size_t unit = 0;
  for (; number >= 10'000 && unit + 1 < std::size(kUnits); ++unit) number /= 1'000;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f%s" : "%.1f%s", number, kUnits[unit]);
  return text;
}

std::string bar(double share) {
  constexpr std::size_t kWidth = 24;
  const auto filled = static_cast<std::size_t>(share * kWidth);
  return "[" + std::string(filled, '#') + std::string(kWidth - filled, ' ') + "]";
}

}  // namespace

Progress::Progress(int fd, Output& to, const Clock& clock)
    : to_{to}, clock_{clock}, shown_{isatty(fd) != 0}, started_{clock.now()} {}

Progress::~Progress() {
  if (!drawn_) return;
  to_.write(kBack);
  to_.flush();
}

void Progress::show(std::uint64_t done, std::uint64_t of, std::uint64_t count,
                    std::string_view what) {
  if (!shown_) return;
  const Time now = clock_.now();
  if (now < next_) return;
  next_ = now + kBetween;
  drawn_ = true;
  to_.write(kBack);
  to_.write(progress_line(done, of, count, what, now - started_));
  to_.flush();
}

std::string progress_line(std::uint64_t done, std::uint64_t of, std::uint64_t count,
                          std::string_view what, Duration elapsed) {
  const double seconds = std::max(1e-6, static_cast<double>(elapsed.count()) / 1e6);
  std::string line;
  const double share =
      of == 0 ? 0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(of));
  char text[32];
  if (of > 0) {
    std::snprintf(text, sizeof text, " %3.0f %%  ", 100 * share);
    line += bar(share) + text;
  }
  const auto counted = static_cast<double>(count);
  line += scaled(counted) + " " + std::string{what} + "  " + scaled(counted / seconds) + "/s";
  if (share > 0) {
    std::snprintf(text, sizeof text, "  %.0f s left", seconds * (1 - share) / share);
    line += text;
  }
  return line;
}

}  // namespace tidegate::cli
