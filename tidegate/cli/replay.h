// `tidegate replay`: what limits would have done to the traffic of access logs.
//
// Thread safety: none; one run. The clock is that of the progress bar; the replay has its own time.
#pragma once

#include "tidegate/base/clock.h"
#include "tidegate/cli/command.h"
#include "tidegate/cli/replay_plan.h"

namespace tidegate::cli {

class ReplayCommand final : public Command {
 public:
  explicit ReplayCommand(const Clock& clock) : clock_{clock} {}

  std::string_view name() const override { return "replay"; }
  std::string_view summary() const override {
    return "Say what a limit would do to logged traffic";
  }
  std::string_view synopsis() const override;
  std::string_view notes() const override;
  void declare(Arguments& arguments) override;
  Expected<ExitCode> run(Io& io) override;

 private:
  const Clock& clock_;
  ReplayWords words_;
};

}  // namespace tidegate::cli
