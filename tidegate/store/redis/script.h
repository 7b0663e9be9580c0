// The one script that decides in Redis: its text, its name for EVALSHA, how to call it, what it
// says.
//
// The text is joined from prelude.lua, the twins beside tidegate/algorithm/*.h and the files of
// this folder when the project is built (cmake/lua.cmake); a call makes only the parts that it
// needs. It runs on Redis 6.2 and newer, and on Valkey. All numbers below are decimal integers,
// times and durations in microseconds. Thread safety: constants and pure functions.
//
// TAKE, CHECK    KEYS    one for each take: a name that holds both key and algorithm. Takes of
// equal
//                        names are one identity; their costs are summed
//                ARGV    `take` or `check`, now, `all` or `each`, then six for each take:
//                        form, role, cost, tokens, period, option
//                replies 2 + 5 x takes integers: admitted (0, 1), binding (from 0), then for each
//                        take: allowed (0, 1), remaining, retry_after (-1: never), reset_after, at
// GIVE_BACK      KEYS    the take's
//                ARGV    `give_back`, now, at (empty: unknown), then the six of the take
//                replies 1, or 0 when there was no state
// RESET          KEYS    the names to forget
//                ARGV    `reset`
//                replies how many there were
// INSPECT        KEYS    names
//                ARGV    `inspect`, now, then the algorithm of each key
//                replies for each key nil when there is none, a text that says why it is no state,
//                        or an array: the limit last used, in the grammar of limits without the
//                        name of its algorithm; remaining; reset_after; at
//
//   now     empty in production: the server's TIME. Tests give it; keys then live an hour longer,
//   as
//           their time is not Redis' own
//   form    form(limit), or the name of a layout: `zset`, `list` (of sliding_window), `counter` (of
//           fixed_window)
//   role    `binding`, `shadow` or `quota`
//   option  option(limit)
//
// Errors: a key that holds something else is an error reply, `TIDEGATE key 1 holds a list, ...`,
// with the number of the key from 1; then nothing has been written. What Redis itself refuses
// (NOSCRIPT, READONLY, OOM, LOADING, NOPERM, ...) are its own error replies.
#pragma once

#include <cstdint>
#include <string_view>

#include "tidegate/algorithm/limit.h"

namespace tidegate::redis {

// The whole text, for EVAL or SCRIPT LOAD.
std::string_view script_text();

// Its SHA1 in lower case hex, for EVALSHA.
std::string_view script_sha1();

constexpr std::string_view form(const Limit& limit) {
  const bool interval = limit.refill() == Refill::kInterval;
  return interval ? "token_bucket_interval" : name(limit.algorithm());
}

// What besides tokens and period makes a limit of its algorithm.
constexpr std::uint32_t option(const Limit& limit) {
  switch (limit.algorithm()) {
    case Algorithm::kSlidingWindow:
      return limit.precision();
    case Algorithm::kTokenBucket:
      return limit.burst();
    case Algorithm::kSlidingWindowCounter:
    case Algorithm::kFixedWindow:
      break;
  }
  return 0;
}

}  // namespace tidegate::redis
