// What the server says while it runs: a line an event, for people or as JSON.
//
//   log.info("listening", {{"protocol", "resp"}, {"address", "127.0.0.1:6380"}});
//
//   2026-12-01T04:05:06.789012Z info listening protocol=resp address=127.0.0.1:6380
//   {"time":"2026-12-01T04:05:06.789012Z","level":"info","event":"listening","protocol":"resp",...}
//
// Thread safety: every member may be called from any thread; lines do not mix. Cost: a line that
// the level leaves out is a comparison; another one is formatted and written before the call
// returns, so what is said for each request must be limited: see denial_log.h.
#pragma once

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <variant>

#include "tidegate/base/clock.h"

namespace spdlog {
class logger;
}

namespace tidegate::server {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarn, kError };
enum class LogFormat : std::uint8_t { kText, kJson };

// One thing about an event. Texts are any bytes.
struct Field {
  std::string_view name;
  std::variant<std::string_view, std::uint64_t> value;
};
using Fields = std::initializer_list<Field>;

class Log {
 public:
  // The stream and the clock must outlive it.
  Log(LogLevel least, LogFormat format, const Clock& clock, std::FILE* to = stderr);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void write(LogLevel level, std::string_view event, Fields fields = {});

  void debug(std::string_view event, Fields fields = {}) { write(LogLevel::kDebug, event, fields); }
  void info(std::string_view event, Fields fields = {}) { write(LogLevel::kInfo, event, fields); }
  void warn(std::string_view event, Fields fields = {}) { write(LogLevel::kWarn, event, fields); }
  void error(std::string_view event, Fields fields = {}) { write(LogLevel::kError, event, fields); }

 private:
  const LogFormat format_;
  const Clock& clock_;
  std::unique_ptr<spdlog::logger> logger_;
};

}  // namespace tidegate::server
