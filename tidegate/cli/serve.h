// `tidegate serve`: answers others until it is told to stop.
//
// Thread safety: none; one run. Cost: see server/server.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tidegate/base/clock.h"
#include "tidegate/base/expected.h"
#include "tidegate/cli/command.h"

namespace tidegate::server {
class Log;
class Server;
}  // namespace tidegate::server

namespace tidegate::cli {

class ServeCommand final : public Command {
 public:
  // The clock must outlive the command.
  ServeCommand(const Clock& clock, std::string version);
  ~ServeCommand() override;

  std::string_view name() const override { return "serve"; }
  std::string_view summary() const override { return "Serve limits to Redis clients"; }
  std::string_view synopsis() const override;
  std::string_view notes() const override;
  void declare(Arguments& arguments) override;
  Expected<ExitCode> run(Io& io) override;

 private:
  const Clock& clock_;
  const std::string version_;
  std::optional<std::string> file_;
  std::vector<std::optional<std::string>> flags_;  // one for each row of the settings table

  // Kept to the end of the process, which needs no table freed state by state.
  std::unique_ptr<server::Log> log_;
  std::unique_ptr<server::Server> server_;
};

}  // namespace tidegate::cli
