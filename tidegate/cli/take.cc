#include "tidegate/cli/take.h"

#include <cstring>

#include "tidegate/cli/json.h"
#include "tidegate/cli/remote.h"
#include "tidegate/cli/store_url.h"
#include "tidegate/cli/take_plan.h"
#include "tidegate/cli/text.h"
#include "tidegate/server/password.h"

namespace tidegate::cli {
namespace {

// Keeps requests at least so far apart. Counted from the decision before and not from a timetable:
// who takes 1/s every second is allowed each time, however late a sleep ends.
class Pace {
 public:
  Pace(const Clock& clock, Duration every) : clock_{clock}, every_{every} {}

  // Waits until the next request is due; the first one is at once.
  void wait(Output& flushed) const {
    if (every_ == Duration{0} || next_ <= clock_.now()) return;
    flushed.flush();
    clock_.sleep_until(next_);
  }

  void decided() {
    if (every_ > Duration{0}) next_ = clock_.now() + every_;
  }

 private:
  const Clock& clock_;
  Duration every_;
  Time next_{};
};

class Run {
 public:
  Run(Limiter& limiter, const Clock& clock, Io& io, TakePlan plan)
      : limiter_{limiter}, io_{io}, plan_{std::move(plan)}, pace_{clock, plan_.every} {}

  Expected<ExitCode> repeat();
  Expected<ExitCode> each_line();

 private:
  Expected<void> decide();
  Expected<void> decide_one();
  Expected<void> decide_several();
  Expected<void> decide_line(const Line& line);
  void print(bool allowed);
  ExitCode code() const { return denied_ ? ExitCode::kDenied : ExitCode::kOk; }

  Limiter& limiter_;
  Io& io_;
  TakePlan plan_;
  Pace pace_;
  bool denied_ = false;
  std::string text_;  // of the present decision
};

Expected<void> Run::decide_one() {
  const Take& take = plan_.takes.front();
  return limiter_.take(take.key, take.limit, take.cost).map([&](const Decision& decision) {
    plan_.json ? append_json(text_, take, decision) : append_text(text_, decision);
    print(decision.allowed);
  });
}

Expected<void> Run::decide_several() {
  return limiter_.take(plan_.takes).map([&](const Verdict& verdict) {
    plan_.json ? append_json(text_, plan_.takes, verdict)
               : append_text(text_, plan_.takes, verdict);
    print(verdict.allowed);
  });
}

Expected<void> Run::decide() {
  pace_.wait(io_.out);
  Expected<void> done = plan_.takes.size() == 1 ? decide_one() : decide_several();
  pace_.decided();
  return done;
}

void Run::print(bool allowed) {
  denied_ |= !allowed;
  text_ += '\n';
  io_.out.write(text_);
  text_.clear();
}

Expected<ExitCode> Run::repeat() {
  for (std::int64_t i = 0; i < plan_.repeat && io_.out.is_open(); ++i)
    if (const auto done = decide(); !done) return tl::unexpected{done.error()};
  return code();
}

Expected<void> Run::decide_line(const Line& line) {
  if (line.length > kMaxKeyBytes)
    return error("key", "at most 65536 bytes, this one has " + std::to_string(line.length));
  plan_.takes.front().key = line.text;
  return decide();
}

Expected<ExitCode> Run::each_line() {
  LineReader lines{io_.in, kMaxKeyBytes, io_.out};
  bool failed = false;
  while (io_.out.is_open()) {
    const std::optional<Line> line = lines.next();
    if (!line) break;
    const auto done = decide_line(*line);
    if (done) continue;
    failed = true;
    io_.complain("tidegate take: standard input, line " + std::to_string(line->number) + ": " +
                 done.error().message());
  }
  if (lines.error() != 0) return error("standard input", std::strerror(lines.error()));
  return failed ? ExitCode::kError : code();
}

Expected<ExitCode> follow(Limiter& limiter, const Clock& clock, Io& io, TakePlan plan) {
  const bool from_stdin = plan.from_stdin;
  Run run{limiter, clock, io, std::move(plan)};
  return from_stdin ? run.each_line() : run.repeat();
}

}  // namespace

std::string_view TakeCommand::synopsis() const {
  return "KEY LIMIT [--and KEY LIMIT]... [--cost N] [--repeat N] [--every 10ms] [--json]\n"
         "--stdin LIMIT [--and KEY LIMIT]... [--cost N] [--every 10ms] [--json]\n"
         "... --store URL\n"
         "... --server ADDR [--password-file FILE]";
}

std::string_view TakeCommand::notes() const {
  return R"(A limit is tokens/period and options: 5/60s, 100/h, "10/s burst 20",
"1000/day algorithm fixed_window". States live as long as this process does, in
the Redis that --store names, or in the `tidegate serve` that --server names.

Examples:
  tidegate take user:42 5/60s --repeat 15 --every 1ms
      5 allowed, then 10 denied
  tidegate take user:42 5/min --and tenant:1 100/min
      both or neither; the line tells which of the two bound
  awk '{print $1}' access.log | tidegate take --stdin 10/60s | sort | uniq -c
      how many requests of a log one client would have been denied
  tidegate take user:42 5/60s --cost 0 --json
      look, and take nothing
  tidegate take user:42 5/60s --store redis://127.0.0.1:6379
      the limit that all who use this Redis share
  tidegate take user:42 5/60s --server 127.0.0.1:6380
      the limit that all who ask this server share

Exit code: 0 when all were allowed, 1 when any was denied, 2 on error.
A key that starts with a dash goes behind `--`: tidegate take -- -x 5/60s)";
}

void TakeCommand::declare(Arguments& arguments) {
  arguments.positional("KEY", "What is limited: any bytes, at most 64 KiB", words_.first);
  arguments.positional("LIMIT", "How much in how long, as in 5/60s", words_.second);
  arguments.pairs("--and", "KEY LIMIT", "Another take of the same request; all or nothing",
                  words_.more);
  arguments.option("--cost", "N", "Tokens that each take asks for (1); 0 looks only", words_.cost);
  arguments.option("--repeat", "N", "Decide so many times, up to 1000000000 (1)", words_.repeat);
  arguments.option("--every", "TIME", "At least so long between two decisions, as in 10ms (0)",
                   words_.every);
  arguments.flag("--stdin", "Read keys from standard input, one a line", words_.from_stdin);
  arguments.option("--store", "URL", kStoreAbout, words_.store);
  arguments.option("--server", "ADDR", "Ask a tidegate serve: HOST:PORT or unix:PATH",
                   words_.server);
  arguments.option("--password-file", "FILE", "Tell it the password that this file holds",
                   words_.password_file);
  arguments.flag("--json", "Print a JSON object for each decision", words_.json);
}

Expected<ExitCode> TakeCommand::run(Io& io) {
  return make_plan(words_).and_then([&](TakePlan plan) {
    if (words_.store) return run_in_redis(io, std::move(plan));
    if (words_.server) return run_at_server(io, std::move(plan));
    return follow(limiter_, clock_, io, std::move(plan));
  });
}

Expected<ExitCode> TakeCommand::run_in_redis(Io& io, TakePlan plan) {
  return open_store(*words_.store, clock_).and_then([&](auto store) {
    Limiter limiter{static_cast<Store&>(*store), clock_};
    return follow(limiter, clock_, io, std::move(plan));
  });
}

Expected<ExitCode> TakeCommand::run_at_server(Io& io, TakePlan plan) {
  const Expected<std::string> password =
      words_.password_file ? server::read_password(*words_.password_file) : std::string{};
  if (!password) return tl::unexpected{password.error()};
  return RemoteStore::connect(*words_.server, *password).and_then([&](auto store) {
    Limiter limiter{static_cast<Store&>(*store), clock_};
    return follow(limiter, clock_, io, std::move(plan));
  });
}

}  // namespace tidegate::cli
