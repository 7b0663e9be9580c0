// `tidegate explain`: which rule a request meets, and why not the others.
//
// Thread safety: none; one run, on one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tidegate/cli/command.h"
#include "tidegate/cli/rule_words.h"

namespace tidegate::cli {

class ExplainCommand final : public Command {
 public:
  std::string_view name() const override { return "explain"; }
  std::string_view summary() const override { return "Say which rule a request meets, and why"; }
  std::string_view synopsis() const override;
  std::string_view notes() const override;
  void declare(Arguments& arguments) override;
  Expected<ExitCode> run(Io& io) override;

 private:
  std::optional<std::string> file_;
  std::vector<std::string> request_;
  RuleWords rules_;
};

}  // namespace tidegate::cli
