// `tidegate keys`: which keys a Redis holds, and what is left of each.
//
// Thread safety: none; one run. Cost: pages of some hundred keys, by SCAN; a line a key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tidegate/base/clock.h"
#include "tidegate/cli/command.h"
#include "tidegate/store/redis/inspection.h"

namespace tidegate::cli {

class KeysCommand final : public Command {
 public:
  explicit KeysCommand(const Clock& clock) : clock_{clock} {}

  std::string_view name() const override { return "keys"; }
  std::string_view summary() const override { return "List the keys that are kept in a Redis"; }
  std::string_view synopsis() const override { return "--store URL [--match GLOB] [--json]"; }
  std::string_view notes() const override;
  void declare(Arguments& arguments) override;
  Expected<ExitCode> run(Io& io) override;

 private:
  Expected<ExitCode> list(Inspection& inspection, Io& io) const;

  const Clock& clock_;
  std::optional<std::string> store_;
  std::optional<std::string> match_;
  bool json_ = false;
};

}  // namespace tidegate::cli
