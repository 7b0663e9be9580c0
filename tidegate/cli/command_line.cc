#include "tidegate/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>

#include "tidegate/base/quote.h"

namespace tidegate::cli {
namespace {

constexpr char kProgram[] = "tidegate";
constexpr char kAbout[] = "A rate limiter: may this happen now, and if not, when?";

// Prints our own synopsis, which knows the forms of a command.
class Help final : public CLI::Formatter {
 public:
  explicit Help(std::string usage) : usage_{std::move(usage)} {}
  std::string make_usage(const CLI::App*, std::string) const override { return "\n" + usage_; }

 private:
  std::string usage_;
};

std::string usage_of(const Command& command) {
  std::string usage;
  std::istringstream forms{std::string{command.synopsis()}};
  for (std::string form; std::getline(forms, form);)
    usage += (usage.empty() ? "Usage: tidegate " : "       tidegate ") +
             std::string{command.name()} + " " + form + "\n";
  return usage;
}

// Arguments by CLI11. Values are kept as they were given: its own conversions read 010 as eight.
class Parser final : public Arguments {
 public:
  explicit Parser(Command& command)
      : app_{std::string{command.summary()}, kProgram + (" " + std::string{command.name()})} {
    app_.formatter(std::make_shared<Help>(usage_of(command)));
    app_.footer(std::string{command.notes()});
    app_.set_help_flag("-h,--help", "Print this help");
    command.declare(*this);
  }

  void positional(std::string name, std::string about, std::optional<std::string>& into) override {
    one(std::move(name), std::move(about), into)->type_name("");
  }
  void flag(std::string name, std::string about, bool& into) override {
    app_.add_flag(std::move(name), into, std::move(about));
  }
  void option(std::string name, std::string value, std::string about,
              std::optional<std::string>& into) override {
    one(std::move(name), std::move(about), into)->type_name(std::move(value));
  }
  void positionals(std::string name, std::string about, std::vector<std::string>& into) override {
    app_.add_option(std::move(name), into, std::move(about))->type_name("");
  }
  void options(std::string name, std::string value, std::string about,
               std::vector<std::string>& into) override {
    app_.add_option(std::move(name), into, std::move(about))
        ->type_name(std::move(value))
        ->expected(1, CLI::detail::expected_max_vector_size)
        ->allow_extra_args(false);
  }
  void pairs(std::string name, std::string values, std::string about,
             std::vector<std::pair<std::string, std::string>>& into) override {
    const CLI::callback_t store = [&into](const CLI::results_t& words) {
      for (std::size_t i = 0; i + 1 < words.size(); i += 2)
        into.emplace_back(words[i], words[i + 1]);
      return true;
    };
    app_.add_option(std::move(name), store, std::move(about))
        ->type_name(std::move(values))
        ->type_size(2)
        ->expected(1, CLI::detail::expected_max_vector_size)
        ->allow_extra_args(false);
  }

  // Throws what CLI11 throws.
  void parse(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app_.parse(std::move(words));
  }

  std::string help() const { return app_.help(); }

 private:
  CLI::Option* one(std::string name, std::string about, std::optional<std::string>& into) {
    const CLI::callback_t store = [&into](const CLI::results_t& words) {
      into = words.front();
      return true;
    };
    return app_.add_option(std::move(name), store, std::move(about))->expected(1)->type_size(1);
  }

  CLI::App app_;
};

int fail(Io& io, const std::string& place, const std::string& what) {
  io.complain(place + ": " + what);
  return static_cast<int>(ExitCode::kError);
}

int run_command(Command& command, std::vector<std::string> words, Io& io) {
  const std::string place = std::string{kProgram} + " " + std::string{command.name()};
  Parser parser{command};
  try {
    parser.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    io.out.write(parser.help());
    return static_cast<int>(ExitCode::kOk);
  } catch (const CLI::ParseError& problem) {
    return fail(io, place, std::string{problem.what()} + "; see " + place + " --help");
  }
  const Expected<ExitCode> code = command.run(io);
  return code ? static_cast<int>(*code) : fail(io, place, code.error().message());
}

std::string help(const CommandLine& line) {
  std::string text = std::string{kAbout} + "\n\nUsage: tidegate COMMAND [ARGUMENTS]\n\nCommands:\n";
  for (const Command* command : line.commands) {
    text += "  " + std::string{command->name()};
    text.append(std::max<std::size_t>(command->name().size(), 10) - command->name().size(), ' ');
    text += "  " + std::string{command->summary()} + "\n";
  }
  return text +
         "\nOptions:\n"
         "  -h, --help    Print this help; tidegate COMMAND --help tells about one command\n"
         "  --version     Print the version\n"
         "\nExamples:\n"
         "  tidegate take user:42 5/60s --repeat 15 --every 1ms\n"
         "  awk '{print $1}' access.log | tidegate take --stdin 10/60s | sort | uniq -c\n";
}

std::string names(const CommandLine& line) {
  std::string text;
  for (const Command* command : line.commands)
    text += (text.empty() ? "" : ", ") + std::string{command->name()};
  return text;
}

int dispatch(const CommandLine& line, std::vector<std::string> words, Io& io) {
  const std::string expected = "expected a command (" + names(line) + "), --help or --version";
  if (words.empty()) return fail(io, kProgram, expected);
  const std::string first = words.front();
  if (first == "-h" || first == "--help") return io.out.write(help(line)), 0;
  if (first == "--version") return io.out.write("tidegate " + line.version + "\n"), 0;
  for (Command* command : line.commands)
    if (command->name() == first)
      return run_command(*command, {std::next(words.begin()), words.end()}, io);
  return fail(io, kProgram, tidegate::quoted(first) + ": " + expected);
}

}  // namespace

int run(const CommandLine& line, std::vector<std::string> words, Io& io) {
  const int code = dispatch(line, std::move(words), io);
  io.out.flush();
  if (io.out.error() == 0) return code;
  return fail(io, kProgram, std::string{"standard output: "} + std::strerror(io.out.error()));
}

}  // namespace tidegate::cli
