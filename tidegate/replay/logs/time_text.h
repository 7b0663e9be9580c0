// Times as logs write them.
//
//   10/Oct/2000:13:55:36 -0700          nginx, Apache; HAProxy with a fraction and without a zone
//   2000-10-10T13:55:36.123-07:00       RFC 3339 and its looser kin: a blank for T, slashes, +0200
//   971211336  971211336.123            seconds since the epoch; also ms, us, ns, told by size
//   Oct 10 13:55:36                     syslog, without a year: see TimeReader
//
// Without a zone it is UTC. Digits below a microsecond are dropped. Thread safety: read_time is
// pure, a TimeReader is one thread's. Cost: 50 ns; for the text of the line before 3 ns.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tidegate/base/time.h"

namespace tidegate::replay {

inline constexpr std::size_t kMaxTimeText = 48;

// A time without a year is the last one that is not after `newest` by more than a day.
std::optional<Time> read_time(std::string_view text, Time newest);

// Remembers the last text: busy logs repeat it from line to line.
class TimeReader {
 public:
  explicit TimeReader(Time newest) : newest_{newest} {}

  bool read(std::string_view text, Time& at) {
    if (text.empty() || (text != text_ && !remember(text))) return false;
    at = at_;
    return true;
  }

 private:
  bool remember(std::string_view text);

  Time newest_;
  std::string text_;
  Time at_{};
};

}  // namespace tidegate::replay
