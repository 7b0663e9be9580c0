#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "tidegate/base/clock.h"
#include "tidegate/cli/command_line.h"
#include "tidegate/cli/explain.h"
#include "tidegate/cli/keys.h"
#include "tidegate/cli/replay.h"
#include "tidegate/cli/reset.h"
#include "tidegate/cli/serve.h"
#include "tidegate/cli/take.h"
#include "tidegate/cli/validate.h"
#include "tidegate/limiter.h"
#include "tidegate/store/memory/memory_store.h"

int main(int argc, char** argv) {
  namespace cli = tidegate::cli;
  std::signal(SIGPIPE,
              SIG_IGN);  // a reader that has left ends the run, not the process: see Output
  const tidegate::SystemClock clock;
  tidegate::MemoryStore store{{}, clock};
  tidegate::Limiter limiter{store, clock};
  cli::TakeCommand take{limiter, clock};
  cli::ServeCommand serve{clock, TIDEGATE_VERSION};
  cli::ValidateCommand validate;
  cli::ExplainCommand explain;
  cli::KeysCommand keys{clock};
  cli::ResetCommand reset{clock};
  cli::ReplayCommand replay{clock};
  const cli::CommandLine line{
      .version = TIDEGATE_VERSION,
      .commands = {&take, &serve, &validate, &explain, &replay, &keys, &reset}};
  cli::Io io{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  // Without destructors: to free millions of states one by one takes as long as to decide them.
  std::_Exit(cli::run(line, {argv + (argc > 0), argv + argc}, io));
}
