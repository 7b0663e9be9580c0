// `tidegate reset`: forgets keys in a Redis.
//
// Thread safety: none; one run. Cost: a request for each key.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tidegate/base/clock.h"
#include "tidegate/cli/command.h"

namespace tidegate::cli {

class ResetCommand final : public Command {
 public:
  explicit ResetCommand(const Clock& clock) : clock_{clock} {}

  std::string_view name() const override { return "reset"; }
  std::string_view summary() const override { return "Forget keys that are kept in a Redis"; }
  std::string_view synopsis() const override { return "KEY... --store URL"; }
  std::string_view notes() const override;
  void declare(Arguments& arguments) override;
  Expected<ExitCode> run(Io& io) override;

 private:
  const Clock& clock_;
  std::vector<std::string> keys_;
  std::optional<std::string> store_;
};

}  // namespace tidegate::cli
