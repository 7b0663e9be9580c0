#include "tidegate/replay/logs/time_text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tidegate::replay {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Reads from the front of a text; once something did not fit, it stays failed.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_{text} {}

  bool done() const { return !failed_ && rest_.empty(); }
  bool failed() const { return failed_; }
  bool at_end() const { return rest_.empty(); }
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }

  bool take(std::string_view one_of) {
    if (rest_.empty() || one_of.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(std::string_view one_of) {
    if (!take(one_of)) failed_ = true;
  }

  int number(std::size_t digits) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!is_digit(peek())) {
        failed_ = true;
        return 0;
      }
      value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }

  unsigned month() {
    static constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const std::size_t found = kMonths.find(rest_.substr(0, 3));
    if (rest_.size() < 3 || found == std::string_view::npos || found % 3 != 0) {
      failed_ = true;
      return 1;
    }
    rest_.remove_prefix(3);
    return static_cast<unsigned>(found / 3 + 1);
  }

  // Of a second, any number of digits.
  Duration fraction() {
    std::int64_t micros = 0;
    std::int64_t unit = 100'000;
    if (!is_digit(peek())) failed_ = true;
    for (; is_digit(peek()); rest_.remove_prefix(1), unit /= 10)
      micros += (rest_.front() - '0') * unit;
    return Duration{micros};
  }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

struct Civil {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
};

std::optional<Time> midnight(const Civil& civil) {
  const std::chrono::year_month_day date{
      std::chrono::year{civil.year}, std::chrono::month{civil.month}, std::chrono::day{civil.day}};
  if (!date.ok()) return std::nullopt;
  return Time{std::chrono::sys_days{date}};
}

std::optional<Time> in_range(Time at) {
  if (at < Time{} || at > kEndOfTime) return std::nullopt;
  return at;
}

// 13:55:36, and 60 for a leap second.
Duration read_clock(Cursor& cursor) {
  const int hour = cursor.number(2);
  cursor.expect(":");
  const int minute = cursor.number(2);
  cursor.expect(":");
  const int second = cursor.number(2);
  if (hour > 23 || minute > 59 || second > 60) cursor.expect("");
  Duration clock = hours{hour} + minutes{minute} + seconds{second};
  if (cursor.take(".,")) clock += cursor.fraction();
  return clock;
}

// Z, +02:00, +0200 or +02, after a blank or not; nothing is UTC.
Duration read_zone(Cursor& cursor) {
  if (cursor.at_end()) return Duration{0};
  cursor.take(" ");
  if (cursor.take("Zz")) return Duration{0};
  const int sign = cursor.peek() == '-' ? -1 : 1;
  cursor.expect("+-");
  Duration offset = hours{cursor.number(2)};
  cursor.take(":");
  if (!cursor.at_end()) offset += minutes{cursor.number(2)};
  if (offset > hours{24}) cursor.expect("");
  return sign * offset;
}

std::optional<Time> finish(Cursor& cursor, const Civil& civil, Duration clock, Duration zone) {
  if (!cursor.done()) return std::nullopt;
  const auto date = midnight(civil);
  if (!date) return std::nullopt;
  return in_range(*date + clock - zone);
}

std::optional<Time> read_common(std::string_view text) {
  Cursor cursor{text};
  Civil civil;
  civil.day = static_cast<unsigned>(cursor.number(2));
  cursor.expect("/");
  civil.month = cursor.month();
  cursor.expect("/");
  civil.year = cursor.number(4);
  cursor.expect(":");
  const Duration clock = read_clock(cursor);
  const Duration zone = read_zone(cursor);
  return finish(cursor, civil, clock, zone);
}

std::optional<Time> read_rfc3339(std::string_view text) {
  Cursor cursor{text};
  Civil civil;
  civil.year = cursor.number(4);
  cursor.expect("-/");
  civil.month = static_cast<unsigned>(cursor.number(2));
  cursor.expect("-/");
  civil.day = static_cast<unsigned>(cursor.number(2));
  cursor.expect("Tt ");
  const Duration clock = read_clock(cursor);
  const Duration zone = read_zone(cursor);
  return finish(cursor, civil, clock, zone);
}

std::optional<Time> read_syslog(std::string_view text, Time newest) {
  Cursor cursor{text};
  Civil civil;
  civil.month = cursor.month();
  cursor.expect(" ");
  civil.day = static_cast<unsigned>(cursor.number(cursor.take(" ") ? 1 : 2));
  cursor.expect(" ");
  const Duration clock = read_clock(cursor);
  if (!cursor.done()) return std::nullopt;
  const std::chrono::year_month_day last{std::chrono::floor<days>(newest + days{1})};
  // February 29 may need to go back as far as the leap year before.
  for (civil.year = static_cast<int>(last.year()); civil.year >= 1970; --civil.year)
    if (const auto date = midnight(civil); date && *date + clock <= newest + days{1})
      return in_range(*date + clock);
  return std::nullopt;
}

// Seconds are below 10^11 until the year 5138, and in any finer unit that number lies in 1973.
constexpr std::int64_t kTooManySeconds = 100'000'000'000;

std::optional<Time> read_whole_epoch(std::int64_t count) {
  if (count < kTooManySeconds) return in_range(Time{seconds{count}});
  if (count / 1000 < kTooManySeconds) return in_range(Time{std::chrono::milliseconds{count}});
  if (count / 1'000'000 < kTooManySeconds) return in_range(Time{Duration{count}});
  return in_range(Time{Duration{count / 1000}});
}

// As in 971211336.123, 971211336123.4 and 9.71211336e8.
std::optional<Time> read_epoch(std::string_view text) {
  const char* end = text.data() + text.size();
  std::int64_t count = 0;
  const auto whole = std::from_chars(text.data(), end, count);
  if (whole.ec != std::errc{} || count < 0) return std::nullopt;
  if (whole.ptr == end) return read_whole_epoch(count);
  Cursor cursor{{whole.ptr, static_cast<std::size_t>(end - whole.ptr)}};
  cursor.expect(".");
  const Duration fraction = cursor.fraction();
  if (cursor.done() && count < kTooManySeconds) return in_range(Time{seconds{count} + fraction});
  if (cursor.done()) return read_whole_epoch(count);
  double value = 0;
  const auto real = std::from_chars(text.data(), end, value);
  if (real.ec != std::errc{} || real.ptr != end || !(value >= 0 && value < 1e18))
    return std::nullopt;
  if (value >= double{kTooManySeconds}) return read_whole_epoch(static_cast<std::int64_t>(value));
  return in_range(Time{Duration{static_cast<std::int64_t>(value * 1e6)}});
}

}  // namespace

std::optional<Time> read_time(std::string_view text, Time newest) {
  if (text.empty() || text.size() > kMaxTimeText) return std::nullopt;
  if (text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
  if (text.size() > 2 && text[2] == '/') return read_common(text);
  if (text.size() > 4 && (text[4] == '-' || text[4] == '/')) return read_rfc3339(text);
  if (!text.empty() && is_digit(text.front())) return read_epoch(text);
  return read_syslog(text, newest);
}

bool TimeReader::remember(std::string_view text) {
  const auto at = read_time(text, newest_);
  if (!at) return false;
  text_.assign(text);
  at_ = *at;
  return true;
}

}  // namespace tidegate::replay
