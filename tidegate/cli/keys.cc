#include "tidegate/cli/keys.h"

#include <unistd.h>

#include <algorithm>

#include "tidegate/base/json_string.h"
#include "tidegate/cli/progress.h"
#include "tidegate/cli/store_url.h"
#include "tidegate/cli/text.h"

namespace tidegate::cli {
namespace {

std::uint32_t used(const KeyState& state) {
  return state.limit.capacity() - std::min(state.remaining, state.limit.capacity());
}

void append_line(std::string& text, const KeyState& state) {
  append_key(text, state.key);
  text += " limit=";
  append_json_string(text, state.limit.to_string());
  text += " used=";
  append_number(text, used(state));
  text += " remaining=";
  append_number(text, state.remaining);
  text += " reset_after=";
  append_duration(text, state.reset_after);
  text += '\n';
}

void append_object(std::string& text, const KeyState& state) {
  text += R"({"key":)";
  append_json_string(text, state.key);
  text += R"(,"limit":)";
  append_json_string(text, state.limit.to_string());
  text += R"(,"used":)";
  append_number(text, used(state));
  text += R"(,"remaining":)";
  append_number(text, state.remaining);
  text += R"(,"reset_after_us":)";
  append_number(text, state.reset_after.count());
  text += "}\n";
}

}  // namespace

std::string_view KeysCommand::notes() const {
  return R"(A line for each key: the limit that it was last used with, what is used and what
remains of it, and the time until it is full again. The server is never held up:
keys are listed page by page (SCAN); one that comes or goes meanwhile may be
missed, or seen twice.

Examples:
  tidegate keys --store redis://127.0.0.1:6379 --match 'user:*'
  tidegate keys --store redis://127.0.0.1:6379 --json | jq 'select(.remaining == 0)'
      who is limited now

Exit code: 0, or 2 on error.)";
}

void KeysCommand::declare(Arguments& arguments) {
  arguments.option("--store", "URL", kStoreAbout, store_);
  arguments.option("--match", "GLOB", "Only keys like this: *, ? and [a-z], as in Redis", match_);
  arguments.flag("--json", "Print a JSON object for each key", json_);
}

Expected<ExitCode> KeysCommand::run(Io& io) {
  if (!store_) return error("--store", "missing; expected a URL, as in redis://127.0.0.1:6379");
  return open_store(*store_, clock_).and_then([&](auto store) {
    Inspection inspection{store->store(), match_.value_or("*"), clock_};
    return list(inspection, io);
  });
}

Expected<ExitCode> KeysCommand::list(Inspection& inspection, Io& io) const {
  // Lines and a bar on one terminal would mix.
  Progress progress{isatty(STDOUT_FILENO) != 0 ? -1 : STDERR_FILENO, io.err, clock_};
  std::uint64_t listed = 0;
  std::string text;
  while (io.out.is_open()) {
    const Expected<InspectionPage> page = inspection.next();
    if (!page) return tl::unexpected{page.error()};
    for (const KeyState& state : page->states)
      json_ ? append_object(text, state) : append_line(text, state);
    io.out.write(text);
    text.clear();
    for (const Error& stranger : page->strangers)
      io.complain("tidegate keys: " + stranger.message());
    listed += page->states.size();
    progress.show(0, 0, listed, "keys");
    if (page->last) break;
  }
  return ExitCode::kOk;
}

}  // namespace tidegate::cli
