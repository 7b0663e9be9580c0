// `tidegate take`: decides takes from the command line or from standard input, a line for each.
//
// Over limits kept in this process, or in a Redis. Thread safety: none; one run, on one thread.
// Cost of a run: a take and a formatted line for each decision; output is flushed before every
// wait, for time or for input.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tidegate/base/clock.h"
#include "tidegate/cli/command.h"
#include "tidegate/limiter.h"

namespace tidegate::cli {

struct TakePlan;

// What `take` was given, as text and unchecked.
struct TakeWords {
  std::optional<std::string> first;   // KEY; LIMIT with --stdin
  std::optional<std::string> second;  // LIMIT
  std::vector<std::pair<std::string, std::string>> more;
  std::optional<std::string> cost;
  std::optional<std::string> repeat;
  std::optional<std::string> every;
  std::optional<std::string> store;
  std::optional<std::string> server;
  std::optional<std::string> password_file;
  bool from_stdin = false;
  bool json = false;
};

class TakeCommand final : public Command {
 public:
  // Both must outlive the command; the clock is the one to wait by.
  TakeCommand(Limiter& limiter, const Clock& clock) : limiter_{limiter}, clock_{clock} {}

  std::string_view name() const override { return "take"; }
  std::string_view summary() const override { return "Take from limits, and see what is decided"; }
  std::string_view synopsis() const override;
  std::string_view notes() const override;
  void declare(Arguments& arguments) override;
  Expected<ExitCode> run(Io& io) override;

 private:
  Expected<ExitCode> run_in_redis(Io& io, TakePlan plan);
  Expected<ExitCode> run_at_server(Io& io, TakePlan plan);

  Limiter& limiter_;
  const Clock& clock_;
  TakeWords words_;
};

}  // namespace tidegate::cli
