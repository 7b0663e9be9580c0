// The binary's command line: finds the command, reads its arguments, runs it, and turns what comes
// of it into words and an exit code.
//
//   CommandLine line{.version = "0.1.0", .commands = {&take}};
//   return run(line, {"take", "user:42", "5/60s"}, io);
//
// Thread safety: none. Cost: some allocations for each argument.
#pragma once

#include <string>
#include <vector>

#include "tidegate/cli/command.h"
#include "tidegate/cli/io.h"

namespace tidegate::cli {

struct CommandLine {
  std::string version;
  std::vector<Command*> commands;
};

// `words` are the arguments after the program's name. Returns the process' exit code.
int run(const CommandLine& line, std::vector<std::string> words, Io& io);

}  // namespace tidegate::cli
