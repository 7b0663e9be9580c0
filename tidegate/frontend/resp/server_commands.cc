#include "tidegate/frontend/resp/server_commands.h"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "tidegate/base/quote.h"
#include "tidegate/frontend/resp/command.h"

namespace tidegate::frontend {
namespace {

// ---- COMMAND

std::vector<std::string_view> flag_names(const Command& command) {
  constexpr std::pair<Command::Flag, std::string_view> kNames[] = {
      {Command::kWrite, "write"},
      {Command::kReadOnly, "readonly"},
      {Command::kFast, "fast"},
      {Command::kNoAuth, "no_auth"},
  };
  std::vector<std::string_view> names;
  for (const auto& [flag, name] : kNames)
    if ((command.flags & flag) != 0) names.push_back(name);
  return names;
}

// As Redis 7 tells a command: ten elements, of which the last ones are empty here.
void describe(Client& client, const Command& command) {
  const std::vector<std::string_view> flags = flag_names(command);
  const int last_key = command.key_step > 0 ? -1 : command.first_key;
  const int step = command.first_key > 0 ? std::max<int>(command.key_step, 1) : 0;
  client.reply().array(10).text(command.name).integer(command.arity).set(flags.size());
  for (const std::string_view flag : flags) client.reply().simple(flag);
  client.reply().integer(command.first_key).integer(last_key).integer(step);
  client.reply().set(1).simple("@" + std::string{command.group});
  client.reply().array(0).array(0).array(0);
}

void document(Client& client, const Command& command) {
  client.reply().text(command.name).map(3);
  client.reply().text("summary").text(command.summary);
  client.reply().text("group").text(command.group);
  client.reply().text("syntax").text(command.arguments);
}

// The commands of these names, or all; null for a name that there is not.
std::vector<const Command*> chosen(Words names) {
  std::vector<const Command*> chosen;
  if (names.empty())
    for (const Command& command : commands()) chosen.push_back(&command);
  for (const std::string_view name : names) chosen.push_back(find_command(name));
  return chosen;
}

void describe(Client& client, Words names) {
  const std::vector<const Command*> all = chosen(names);
  client.reply().array(all.size());
  for (const Command* command : all) {
    if (command != nullptr) {
      describe(client, *command);
    } else {
      client.reply().null();
    }
  }
}

void document(Client& client, Words names) {
  std::vector<const Command*> known = chosen(names);
  std::erase(known, nullptr);
  client.reply().map(known.size());
  for (const Command* command : known) document(client, *command);
}

void list(Client& client) {
  client.reply().array(commands().size());
  for (const Command& command : commands()) client.reply().text(command.name);
}

// ---- INFO

class Report {
 public:
  void section(std::string_view name) {
    text_ += (text_.empty() ? "# " : "\r\n# ");
    text_.append(name) += "\r\n";
  }
  void line(std::string_view name, std::string_view value) {
    text_.append(name).append(":").append(value).append("\r\n");
  }
  void line(std::string_view name, std::uint64_t value) { line(name, std::to_string(value)); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void report_server(Report& report, const RespService& service) {
  const Duration up = service.clock().now() - service.started();
  report.section("Server");
  report.line("tidegate_version", service.options().version);
  report.line("process_id", static_cast<std::uint64_t>(getpid()));
  report.line("uptime_in_seconds", static_cast<std::uint64_t>(up / std::chrono::seconds{1}));
}

void report_clients(Report& report, const RespService& service) {
  report.section("Clients");
  report.line("connected_clients", service.counts().connections);
}

void report_memory(Report& report, const RespService& service) {
  if (service.memory() == nullptr) return;
  const MemoryStoreCounters counters = service.memory()->counters();
  report.section("Memory");
  report.line("store_keys", counters.keys);
  report.line("store_bytes", counters.bytes);
  report.line("store_swept", counters.swept);
  report.line("store_evicted", counters.evicted);
  report.line("store_denied_full", counters.denied_full);
}

void report_stats(Report& report, const RespService& service) {
  const RespCounts counts = service.counts();
  report.section("Stats");
  report.line("total_connections_received", counts.connected);
  report.line("total_commands_processed", counts.commands);
  report.line("total_error_replies", counts.errors);
  report.line("takes_allowed", counts.allowed);
  report.line("takes_denied", counts.denied);
}

struct Section {
  std::string_view name;
  void (*write)(Report&, const RespService&);
};
constexpr Section kSections[] = {{"server", report_server},
                                 {"clients", report_clients},
                                 {"memory", report_memory},
                                 {"stats", report_stats}};

bool wanted(std::string_view section, Words names) {
  return names.empty() || std::any_of(names.begin(), names.end(), [&](std::string_view name) {
           return equal_ignoring_case(name, section) || equal_ignoring_case(name, "all") ||
                  equal_ignoring_case(name, "default") || equal_ignoring_case(name, "everything");
         });
}

}  // namespace

void command_command(Client& client, Words words) {
  if (words.size() == 1) return describe(client, Words{});
  const std::string what = lower_case(words[1]);
  if (what == "count" && words.size() == 2) {
    client.reply().integer(static_cast<std::int64_t>(commands().size()));
  } else if (what == "docs") {
    document(client, words.subspan(2));
  } else if (what == "info") {
    describe(client, words.subspan(2));
  } else if (what == "list" && words.size() == 2) {
    list(client);
  } else {
    client.refuse("ERR unknown subcommand or wrong number of arguments for " + quoted(words[1]) +
                  ". COMMAND knows COUNT, DOCS, INFO, LIST.");
  }
}

void config(Client& client, Words words) {
  if (!equal_ignoring_case(words[1], "get") || words.size() < 3)
    return client.refuse("ERR CONFIG knows GET pattern [pattern ...] alone, not " +
                         quoted(words[1]));
  client.reply().map(0);
}

void info(Client& client, Words words) {
  Report report;
  for (const Section& section : kSections)
    if (wanted(section.name, words.subspan(1))) section.write(report, client.loop.service());
  client.reply().verbatim(report.text());
}

}  // namespace tidegate::frontend
