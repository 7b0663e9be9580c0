#include "tidegate/server/log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <string>

#include "tidegate/base/json_string.h"

namespace tidegate::server {
namespace {

using Sink = spdlog::sinks::stdout_sink_base<spdlog::details::console_mutex>;

constexpr char kTextPattern[] = "%Y-%m-%dT%H:%M:%S.%fZ %l %v";
constexpr char kJsonPattern[] = R"({"time":"%Y-%m-%dT%H:%M:%S.%fZ","level":"%l",%v})";

spdlog::level::level_enum level_of(LogLevel level) {
  constexpr spdlog::level::level_enum kLevels[] = {spdlog::level::debug, spdlog::level::info,
                                                   spdlog::level::warn, spdlog::level::err};
  return kLevels[static_cast<std::size_t>(level)];
}

bool is_plain(char c) {
  return c > ' ' && c < '\x7f' && c != '"' && c != '\\' && c != '=';
}

// As it is where that leaves no doubt, otherwise in quotes.
void append_word(std::string& line, std::string_view text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) {
    line += text;
  } else {
    append_json_string(line, text);
  }
}

std::string text_line(std::string_view event, Fields fields) {
  std::string line{event};
  for (const Field& field : fields) {
    (line += ' ').append(field.name) += '=';
    if (const auto* text = std::get_if<std::string_view>(&field.value)) {
      append_word(line, *text);
    } else {
      line += std::to_string(std::get<std::uint64_t>(field.value));
    }
  }
  return line;
}

// The members after time and level, which the pattern has.
std::string json_members(std::string_view event, Fields fields) {
  std::string line = R"("event":)";
  append_json_string(line, event);
  for (const Field& field : fields) {
    append_json_string(line += ',', field.name);
    line += ':';
    if (const auto* text = std::get_if<std::string_view>(&field.value)) {
      append_json_string(line, *text);
    } else {
      line += std::to_string(std::get<std::uint64_t>(field.value));
    }
  }
  return line;
}

}  // namespace

Log::Log(LogLevel least, LogFormat format, const Clock& clock, std::FILE* to)
    : format_{format},
      clock_{clock},
      logger_{std::make_unique<spdlog::logger>("tidegate", std::make_shared<Sink>(to))} {
  logger_->set_formatter(std::make_unique<spdlog::pattern_formatter>(
      format == LogFormat::kJson ? kJsonPattern : kTextPattern, spdlog::pattern_time_type::utc));
  logger_->set_level(level_of(least));
}

Log::~Log() = default;

void Log::write(LogLevel level, std::string_view event, Fields fields) {
  if (!logger_->should_log(level_of(level))) return;
  const std::string line =
      format_ == LogFormat::kJson ? json_members(event, fields) : text_line(event, fields);
  logger_->log(std::chrono::system_clock::time_point{clock_.now()}, {}, level_of(level), line);
}

}  // namespace tidegate::server
