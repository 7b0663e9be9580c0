#include "tidegate/cli/replay.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <thread>

#include "tidegate/cli/progress.h"
#include "tidegate/replay/page.h"
#include "tidegate/replay/report.h"
#include "tidegate/replay/rules_outcome.h"

namespace tidegate::cli {
namespace {

constexpr std::size_t kStretches = 120;  // of the time line

Expected<void> write_file(const std::string& path, const std::string& text) {
  std::ofstream file{path, std::ios::binary | std::ios::trunc};
  file << text;
  file.close();
  if (file) return {};
  return error("--html " + path, std::strerror(errno));
}

std::string joined(const std::vector<std::string>& fields) {
  std::string text;
  for (const std::string& field : fields) text += (text.empty() ? "" : ",") + field;
  return text;
}

Expected<replay::Trace> load(const ReplayPlan& plan, Io& io, const Clock& clock) {
  Progress progress{STDERR_FILENO, io.err, clock};
  return replay::load(plan.load, [&](std::uint64_t bytes, std::uint64_t of, std::uint64_t lines) {
    progress.show(bytes, of, lines, "lines");
  });
}

Expected<replay::Report> decide(const ReplayPlan& plan, const replay::Trace& trace) {
  replay::Report report{.trace = trace,
                        .by = joined(plan.load.by),
                        .frame = replay::frame_of(trace, kStretches),
                        .demand = replay::demand_of(trace, plan.period)};
  for (const Limit& limit : plan.limits)
    report.outcomes.push_back(replay::decide(trace, limit, report.frame, plan.threads));
  if (!plan.rules.empty()) {
    Expected<replay::Outcome> outcome = replay::decide_by_rules(
        trace, {.files = plan.rules, .domain = plan.domain, .by = plan.load.by}, report.frame);
    if (!outcome) return tl::unexpected{std::move(outcome).error()};
    report.outcomes.push_back(*std::move(outcome));
  }
  if (plan.suggest) report.suggestion = replay::suggest(trace, report.demand, *plan.suggest);
  return report;
}

}  // namespace

std::string_view ReplayCommand::synopsis() const {
  return "FILE... --limit LIMIT [--limit LIMIT]... [--by FIELDS] [--html FILE]\n"
         "FILE... --rules FILE --domain NAME [--by FIELDS]\n"
         "FILE... --suggest [--period 60s] [--touch 1%] [--deny 0.1%]";
}

std::string_view ReplayCommand::notes() const {
  return R"(Files are access logs of nginx, Apache, HAProxy, Envoy, Traefik, Caddy, AWS or any
JSON or CSV lines; plain, .gz or .zst; - is standard input.

Examples:
  tidegate replay access.log --limit 60/min
      who would 60 a minute by client have hit?
  tidegate replay access.log* --limit 60/min --limit '60/min burst 5' --html report.html
      several limits side by side, as a page
  tidegate replay access.log --suggest --period 60s --touch 1%
      the smallest limit that touches at most 1 % of the clients
  tidegate replay access.log --limit 10/s --by client,path --where 'path~/api/'

Exit code: 0, or 2 on error.)";
}

void ReplayCommand::declare(Arguments& arguments) {
  arguments.positionals("files", "Log files, - for standard input", words_.files);
  arguments.options("--limit", "LIMIT", "A limit to try, as in 60/min; may be repeated",
                    words_.limits);
  arguments.option("--by", "FIELDS", "What has a limit of its own (client)", words_.by);
  arguments.options("--rules", "FILE", "Rules to try, for descriptors made of --by", words_.rules);
  arguments.option("--domain", "NAME", "The rules' domain", words_.domain);
  arguments.options("--where", "CONDITION", "Only these lines, as in status!=429; may be repeated",
                    words_.where);
  arguments.option("--cost", "FIELD", "A field that is the cost of a request (1 each)",
                   words_.cost);
  arguments.option("--refused", "count|skip",
                   "Requests that the server itself answered with 429 or 503 (count)",
                   words_.refused);
  arguments.option("--format", "FORM", "The form of the lines, or an nginx log_format (detected)",
                   words_.form);
  arguments.option("--fields", "NAMES", "Fields of JSON or CSV lines, as in time=.ts,client=.ip",
                   words_.fields);
  arguments.flag("--suggest", "Choose a limit by the keys' true peaks", words_.suggest);
  arguments.option("--period", "LENGTH", "The period of the limit to choose (60s)", words_.period);
  arguments.option("--touch", "SHARE", "Keys that may be denied something (1%)", words_.touch);
  arguments.option("--deny", "SHARE", "Requests that may be denied (0.1%)", words_.deny);
  arguments.option("--threads", "N", "Threads that decide (one for each core)", words_.threads);
  arguments.option("--html", "FILE", "Write a page with figures to this file", words_.html);
  arguments.flag("--json", "Print one JSON object", words_.json);
}

Expected<ExitCode> ReplayCommand::run(Io& io) {
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  const Expected<ReplayPlan> plan = make_plan(words_, processors);
  if (!plan) return tl::unexpected{plan.error()};
  const Expected<replay::Trace> trace = load(*plan, io, clock_);
  if (!trace) return tl::unexpected{trace.error()};
  const Expected<replay::Report> report = decide(*plan, *trace);
  if (!report) return tl::unexpected{report.error()};
  if (plan->html) {
    const Expected<void> written = write_file(*plan->html, replay::as_page(*report));
    if (!written) return tl::unexpected{written.error()};
  }
  io.out.write(plan->json ? replay::as_json(*report) : replay::as_text(*report));
  return ExitCode::kOk;
}

}  // namespace tidegate::cli
