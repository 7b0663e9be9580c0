#include "tidegate/replay/numbers.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace tidegate::replay {
namespace {

using namespace std::chrono_literals;

std::string printed(const char* format, double number) {
  char text[64];
  return {text, static_cast<std::size_t>(std::snprintf(text, sizeof text, format, number))};
}

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string counted(std::uint64_t number, const std::string& what) {
  return grouped(number) + " " + what + (number == 1 ? "" : "s");
}

std::string percent(std::uint64_t part, std::uint64_t of) {
  if (part == 0 || of == 0) return "0 %";
  const double share = 100 * static_cast<double>(part) / static_cast<double>(of);
  if (share > 99 && part < of) return printed("%.4g %%", std::min(share, 99.99));
  return printed(share >= 10 ? "%.0f %%" : share >= 1 ? "%.1f %%" : "%.2g %%", share);
}

std::string clock_text(Time at) {
  const std::time_t seconds = at.time_since_epoch() / 1s;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts)};
}

std::string length_text(Duration length) {
  const auto two = [&](Duration large, const char* name, Duration small, const char* small_name) {
    const std::string rest = std::to_string(length % large / small);
    return std::to_string(length / large) + " " + name +
           (rest == "0" ? "" : " " + rest + " " + small_name);
  };
  if (length >= 24h) return two(24h, "d", 1h, "h");
  if (length >= 1h) return two(1h, "h", 1min, "min");
  if (length >= 2min) return two(1min, "min", 1s, "s");
  if (length >= 1s) return printed("%.3g s", static_cast<double>(length.count()) / 1e6);
  return printed("%.3g ms", static_cast<double>(length.count()) / 1e3);
}

}  // namespace tidegate::replay
