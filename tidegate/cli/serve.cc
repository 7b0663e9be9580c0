#include "tidegate/cli/serve.h"

#include <cstdlib>
#include <map>
#include <utility>

#include "tidegate/server/log.h"
#include "tidegate/server/read_settings.h"
#include "tidegate/server/server.h"
#include "tidegate/server/settings_table.h"

namespace tidegate::cli {

ServeCommand::ServeCommand(const Clock& clock, std::string version)
    : clock_{clock}, version_{std::move(version)}, flags_(server::settings_table().size()) {}

ServeCommand::~ServeCommand() = default;

std::string_view ServeCommand::synopsis() const {
  return "[--rules PATH] [--http ADDR] [--grpc ADDR] [--resp ADDR] [--store URL] [OPTION]...";
}

std::string_view ServeCommand::notes() const {
  return R"(Each option may also be given as a variable, --max-memory as TIDEGATE_MAX_MEMORY, or
in the settings file, as max_memory: 1g. An option counts before a variable, a
variable before the file.

Examples:
  tidegate serve
      serve the Redis clients of this machine, at 127.0.0.1:6380; then
      redis-cli -p 6380 CL.THROTTLE user:42 4 5 60
      redis-cli -p 6380 RL.TAKE user:42 5/60s
  tidegate serve --resp :6380,unix:/run/tidegate.sock --resp-password-file /etc/tidegate/password
      serve other machines too, and this one by a socket
  tidegate serve --rules limits.yaml --grpc :8081 --http 127.0.0.1:8080
      decide by rules for Envoy, and for curl; metrics are at /metrics

SIGHUP loads the rules anew, which happens by itself when they change. SIGTERM or SIGINT: what was asked is answered, then it ends; a second one ends it at once.
Exit code: 0 when it was told to end, 2 on error.)";
}

void ServeCommand::declare(Arguments& arguments) {
  arguments.option("--config", "FILE", "Read settings from this file (YAML)", file_);
  const auto table = server::settings_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::string standard =
        table[i].standard.empty() ? "" : " (" + std::string{table[i].standard} + ")";
    arguments.option(table[i].flag(), std::string{table[i].value},
                     std::string{table[i].about} + standard, flags_[i]);
  }
}

Expected<ExitCode> ServeCommand::run(Io&) {
  std::map<std::string, std::string> flags;
  for (std::size_t i = 0; i < flags_.size(); ++i)
    if (flags_[i]) flags.emplace(server::settings_table()[i].name, *flags_[i]);
  const auto settings =
      server::read_settings({.flags = std::move(flags), .variable = std::getenv, .file = file_});
  if (!settings) return tl::unexpected{settings.error()};
  log_ = std::make_unique<server::Log>(settings->log_level, settings->log_format, clock_);
  auto started = server::Server::start(*settings, version_, clock_, *log_);
  if (!started) return tl::unexpected{std::move(started).error()};
  server_ = *std::move(started);
  server_->obey_signals();
  server_->run();
  return ExitCode::kOk;
}

}  // namespace tidegate::cli
