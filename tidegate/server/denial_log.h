// Says which keys were denied, at most so many in a period, and how many it did not say.
//
//   info denied key=user:42 limit=5/min retry_after_us=59000000 left_out=1204
//
// `left_out` are the denials since the line before. Thread safety: every member may be called from
// any thread. Cost of a denial that is left out: a comparison and a count, no clock and no lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "tidegate/algorithm/decision.h"
#include "tidegate/base/clock.h"
#include "tidegate/bucket.h"
#include "tidegate/server/log.h"

namespace tidegate::server {

class DenialLog {
 public:
  // The log and the clock, which is also that of the decisions, must outlive it. Requires a limit
  // that lets something pass.
  DenialLog(const Limit& limit, Log& log, const Clock& clock);
  // Says how many were left out since the last line.
  ~DenialLog();
  DenialLog(const DenialLog&) = delete;
  DenialLog& operator=(const DenialLog&) = delete;

  void denied(std::string_view key, const Limit& limit, const Decision& decision);

 private:
  bool may_speak(Time now);

  Log& log_;
  Bucket bucket_;
  std::atomic<Time> silent_until_{Time{}};
  std::atomic<std::uint64_t> left_out_{0};
};

}  // namespace tidegate::server
