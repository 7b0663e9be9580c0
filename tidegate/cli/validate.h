// `tidegate validate`: reads rule files, says what is wrong with them, and prints the rules.
//
// Thread safety: none; one run, on one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tidegate/cli/command.h"
#include "tidegate/cli/rule_words.h"

namespace tidegate::cli {

class ValidateCommand final : public Command {
 public:
  std::string_view name() const override { return "validate"; }
  std::string_view summary() const override { return "Check rule files, and print their rules"; }
  std::string_view synopsis() const override;
  std::string_view notes() const override;
  void declare(Arguments& arguments) override;
  Expected<ExitCode> run(Io& io) override;

 private:
  std::vector<std::string> files_;
  std::optional<std::string> cost_;
  RuleWords rules_;
  bool json_ = false;
};

}  // namespace tidegate::cli
