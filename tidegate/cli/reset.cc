#include "tidegate/cli/reset.h"

#include "tidegate/cli/store_url.h"
#include "tidegate/limiter.h"

namespace tidegate::cli {

std::string_view ResetCommand::notes() const {
  return R"(The states of a key under every algorithm go; what it asks for next is as if it
were new.

Example:
  tidegate reset user:42 --store redis://127.0.0.1:6379

Exit code: 0 when all are forgotten, also those that were not there, 2 on error.
A key that starts with a dash goes behind `--`.)";
}

void ResetCommand::declare(Arguments& arguments) {
  arguments.positionals("KEY", "What is to be forgotten", keys_);
  arguments.option("--store", "URL", kStoreAbout, store_);
}

Expected<ExitCode> ResetCommand::run(Io&) {
  if (keys_.empty())
    return error("KEY", "missing; expected KEY, as in: tidegate reset user:42 --store redis://...");
  if (!store_) return error("--store", "missing; expected a URL, as in redis://127.0.0.1:6379");
  return open_store(*store_, clock_).and_then([&](auto store) -> Expected<ExitCode> {
    Limiter limiter{static_cast<Store&>(*store), clock_};
    for (const std::string& key : keys_)
      if (const auto done = limiter.reset(key); !done) return tl::unexpected{done.error()};
    return ExitCode::kOk;
  });
}

}  // namespace tidegate::cli
