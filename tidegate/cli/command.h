// What a command of the binary is: `tidegate NAME ...`. To add one, write a file with a Command and
// add it to the list in main.cc.
//
// No parser of arguments shows here: Command describes what it takes to an Arguments, which keeps
// the one behind it (command_line.cc) out of every other file. Thread safety: none; a process runs
// one command on one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tidegate/base/expected.h"
#include "tidegate/cli/io.h"

namespace tidegate::cli {

enum class ExitCode : int {
  kOk = 0,
  kDenied = 1,  // something was denied, or a file is not valid
  kError = 2,   // bad usage included
};

// Takes the description of a command's arguments. What the user gives is stored, as text and
// unchecked, in the variables named here; they must live until the command has run.
class Arguments {
 public:
  virtual ~Arguments() = default;
  virtual void positional(std::string name, std::string about,
                          std::optional<std::string>& into) = 0;
  virtual void flag(std::string name, std::string about, bool& into) = 0;
  virtual void option(std::string name, std::string value, std::string about,
                      std::optional<std::string>& into) = 0;
  // A positional that takes all words that are left; an option that may be given many times.
  virtual void positionals(std::string name, std::string about, std::vector<std::string>& into) = 0;
  virtual void options(std::string name, std::string value, std::string about,
                       std::vector<std::string>& into) = 0;
  // An option of two values that may be given many times.
  virtual void pairs(std::string name, std::string values, std::string about,
                     std::vector<std::pair<std::string, std::string>>& into) = 0;
};

class Command {
 public:
  virtual ~Command() = default;

  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;   // one line
  virtual std::string_view synopsis() const = 0;  // what follows the name, one line for each form
  virtual std::string_view notes() const = 0;     // examples and exit codes; ends the help

  virtual void declare(Arguments& arguments) = 0;

  // An error that ends the run is returned; it is printed with exit code 2.
  virtual Expected<ExitCode> run(Io& io) = 0;
};

}  // namespace tidegate::cli
