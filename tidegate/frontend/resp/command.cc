#include "tidegate/frontend/resp/command.h"

#include <algorithm>
#include <array>

#include "tidegate/base/quote.h"
#include "tidegate/frontend/resp/connection_commands.h"
#include "tidegate/frontend/resp/limit_commands.h"
#include "tidegate/frontend/resp/rule_commands.h"
#include "tidegate/frontend/resp/server_commands.h"
#include "tidegate/frontend/resp/throttle.h"
#include "tidegate/frontend/resp/transaction.h"

namespace tidegate::frontend {
namespace {

constexpr std::uint8_t kChange = Command::kWrite | Command::kFast;
constexpr std::uint8_t kTake = kChange | Command::kBatched;
constexpr std::uint8_t kCheck = Command::kReadOnly | Command::kFast;
constexpr std::uint8_t kPlain = Command::kFast;
constexpr std::uint8_t kOpen = Command::kFast | Command::kNoAuth;
constexpr std::uint8_t kControl = Command::kFast | Command::kAtOnce;
constexpr std::uint8_t kOpenControl = kOpen | Command::kAtOnce;

// The words that CLIENT and the like choose among are in their handlers.
constexpr Command kCommands[] = {
    {"cl.throttle", -5, kTake, 1, 0, "limit", "key max_burst count period [quantity]",
     "Takes from a token bucket, as redis-cell does", throttle},
    {"rl.take", -3, kTake, 1, 0, "limit", "key limit [cost]",
     "Takes from a limit: may this happen now?", rl_take},
    {"rl.check", -3, kCheck, 1, 0, "limit", "key limit [cost]",
     "What RL.TAKE would answer now; changes nothing", rl_check},
    {"rl.mtake", -5, kChange, 2, 3, "limit", "count key limit cost [key limit cost ...]",
     "Takes from several limits, one decision for all", rl_mtake},
    {"rl.rules", -6, kChange, 0, 0, "limit",
     "domain descriptors entries key value [key value ...] [entries key value ...] [COST cost]",
     "Takes from the limits that the rules set for descriptors, one decision for all", rl_rules},
    {"rl.giveback", -4, kChange, 1, 0, "limit", "key limit cost [at_us]", "Undoes a take",
     rl_give_back},
    {"rl.reset", 2, kChange, 1, 0, "limit", "key", "Forgets a key", rl_reset},

    {"ping", -1, kPlain, 0, 0, "connection", "[message]", "Answers PONG, or the message", ping},
    {"echo", 2, kPlain, 0, 0, "connection", "message", "Answers the message", echo},
    {"hello", -1, kOpenControl, 0, 0, "connection",
     "[protocol [AUTH username password] [SETNAME name]]", "Chooses the protocol", hello},
    {"auth", -2, kOpenControl, 0, 0, "connection", "[username] password", "Gives the password",
     auth},
    {"select", 2, kPlain, 0, 0, "connection", "index", "Chooses a database; there is but 0",
     select_database},
    {"client", -2, kPlain, 0, 0, "connection",
     "ID | INFO | GETNAME | SETNAME name | SETINFO attribute value",
     "Tells and names this connection", client_command},
    {"quit", -1, kOpenControl, 0, 0, "connection", "", "Ends the connection", quit},
    {"reset", 1, kOpenControl, 0, 0, "connection", "", "Puts the connection back to its start",
     reset_connection},

    {"multi", 1, kControl, 0, 0, "transactions", "", "Queues what follows until EXEC", multi},
    {"exec", 1, kControl, 0, 0, "transactions", "", "Carries out what was queued", exec},
    {"discard", 1, kControl, 0, 0, "transactions", "", "Drops what was queued", discard},

    {"command", -1, kPlain, 0, 0, "server", "[COUNT | DOCS [name ...] | INFO [name ...] | LIST]",
     "Tells about the commands", command_command},
    {"config", -2, kPlain, 0, 0, "server", "GET pattern [pattern ...]",
     "Redis' settings, of which there are none here", config},
    {"info", -1, kPlain, 0, 0, "server", "[section ...]", "Tells about the server", info},
};

constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

// Commands by a hash of their names that knows no case; linear probing.
class Index {
 public:
  constexpr Index() {
    for (std::size_t i = 0; i < std::size(kCommands); ++i) {
      std::size_t slot = hash(kCommands[i].name);
      while (slots_[slot] != 0) slot = (slot + 1) % kSlots;
      slots_[slot] = static_cast<std::uint8_t>(i + 1);
    }
  }

  const Command* find(std::string_view name) const {
    if (name.empty()) return nullptr;
    for (std::size_t slot = hash(name); slots_[slot] != 0; slot = (slot + 1) % kSlots) {
      const Command& command = kCommands[slots_[slot] - 1];
      if (equal_ignoring_case(name, command.name)) return &command;
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t kSlots = 128;
  static_assert(kSlots > 2 * std::size(kCommands));

  static constexpr std::size_t hash(std::string_view name) {
    const auto letter = [&](std::size_t i) {
      return static_cast<std::size_t>(static_cast<unsigned char>(to_lower(name[i])));
    };
    return (name.size() * 31 + letter(0) * 7 + letter(name.size() / 2) * 3 +
            letter(name.size() - 1)) %
           kSlots;
  }

  std::array<std::uint8_t, kSlots> slots_{};
};
constexpr Index kIndex;

std::string unknown(Words words) {
  std::string text = "ERR unknown command " + quoted(words.front()) + ", with args beginning with:";
  for (const std::string_view word : words.subspan(1, std::min<std::size_t>(3, words.size() - 1)))
    text += " " + quoted(word);
  return text;
}

// A web page can make a browser send lines of its choice to any address, but not before these.
bool comes_by_http(std::string_view name) {
  return equal_ignoring_case(name, "post") || equal_ignoring_case(name, "host:");
}

// Why a command is not carried out, or nothing.
std::string problem_with(const Client& client, const Command* command, Words words) {
  const bool may =
      client.authenticated || (command != nullptr && command->flags & Command::kNoAuth);
  if (!may) return "NOAUTH Authentication required.";
  if (command == nullptr) return unknown(words);
  if (!fits(*command, words.size()))
    return "ERR wrong number of arguments for '" + std::string{command->name} + "' command";
  return {};
}

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

const Command* find_command(std::string_view name) {
  return kIndex.find(name);
}

bool fits(const Command& command, std::size_t words) {
  const auto count = static_cast<int>(words);
  return command.arity > 0 ? count == command.arity : count >= -command.arity;
}

void carry_out(Client& client, Words words) {
  client.loop.commands.add(1);
  const Command* command = find_command(words.front());
  if (command == nullptr && comes_by_http(words.front())) {
    client.leaving = true;
    return client.refuse("ERR this is no HTTP server");
  }
  if (const std::string problem = problem_with(client, command, words); !problem.empty()) {
    client.transaction.spoiled = client.transaction.open;
    return client.refuse(problem);
  }
  if (client.transaction.open && !(command->flags & Command::kAtOnce)) return queue(client, words);
  if (!(command->flags & Command::kBatched)) client.settle();
  command->carry_out(client, words);
}

bool equal_ignoring_case(std::string_view a, std::string_view lower_case) {
  return a.size() == lower_case.size() &&
         std::equal(a.begin(), a.end(), lower_case.begin(),
                    [](char x, char y) { return to_lower(x) == y; });
}

std::string lower_case(std::string_view text) {
  std::string lower{text};
  std::transform(lower.begin(), lower.end(), lower.begin(), to_lower);
  return lower;
}

}  // namespace tidegate::frontend
