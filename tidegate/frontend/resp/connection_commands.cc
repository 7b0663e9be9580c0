#include "tidegate/frontend/resp/connection_commands.h"

#include <algorithm>

#include "tidegate/base/quote.h"
#include "tidegate/frontend/resp/command.h"
#include "tidegate/frontend/resp/numbers.h"
#include "tidegate/frontend/same_secret.h"

namespace tidegate::frontend {
namespace {

constexpr std::string_view kWrongPassword =
    "WRONGPASS invalid username-password pair or user is disabled.";

// The one user there is has the name that Redis gives it.
bool right(const Client& client, std::string_view user, std::string_view password) {
  const std::string& secret = client.loop.service().options().password;
  return secret.empty() || (user == "default" && same_secret(password, secret));
}

bool valid_name(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
}

void greet(Client& client) {
  constexpr std::size_t kPairs = 7;
  client.reply().map(kPairs).text("server").text("tidegate");
  client.reply().text("version").text(client.loop.service().options().version);
  client.reply().text("proto").integer(static_cast<std::int64_t>(client.protocol));
  client.reply().text("id").integer(static_cast<std::int64_t>(client.id));
  client.reply().text("mode").text("standalone");
  client.reply().text("role").text("master");
  client.reply().text("modules").array(0);
}

// What HELLO may be followed by: AUTH user password, SETNAME name. A text says what is wrong.
std::string take_options(const Client& client, Words words, std::string& name,
                         bool& authenticated) {
  while (!words.empty()) {
    if (equal_ignoring_case(words[0], "auth") && words.size() >= 3) {
      if (!right(client, words[1], words[2])) return std::string{kWrongPassword};
      authenticated = true;
      words = words.subspan(3);
    } else if (equal_ignoring_case(words[0], "setname") && words.size() >= 2) {
      if (!valid_name(words[1]))
        return "ERR Client names cannot contain spaces, newlines or special characters.";
      name = words[1];
      words = words.subspan(2);
    } else {
      return "ERR Syntax error in HELLO option " + quoted(words[0]);
    }
  }
  return {};
}

void set_name(Client& client, std::string_view name) {
  if (!valid_name(name))
    return client.refuse("ERR Client names cannot contain spaces, newlines or special characters.");
  client.name = name;
  client.reply().ok();
}

void set_info(Client& client, std::string_view attribute, std::string_view value) {
  const bool library = equal_ignoring_case(attribute, "lib-name");
  if (!library && !equal_ignoring_case(attribute, "lib-ver"))
    return client.refuse("ERR Unrecognized option " + quoted(attribute));
  if (!valid_name(value))
    return client.refuse("ERR " + std::string{library ? "lib-name" : "lib-ver"} +
                         " cannot contain spaces, newlines or special characters.");
  (library ? client.library : client.library_version) = value;
  client.reply().ok();
}

std::string describe(const Client& client) {
  const Transaction& transaction = client.transaction;
  const std::string queued = transaction.open ? std::to_string(transaction.commands.size()) : "-1";
  return "id=" + std::to_string(client.id) + " addr=" + client.peer + " name=" + client.name +
         " db=0 multi=" + queued + " resp=" + std::to_string(static_cast<int>(client.protocol)) +
         " lib-name=" + client.library + " lib-ver=" + client.library_version + "\n";
}

}  // namespace

void ping(Client& client, Words words) {
  if (words.size() > 2) return client.refuse("ERR wrong number of arguments for 'ping' command");
  if (words.size() == 2) {
    client.reply().text(words[1]);
  } else {
    client.reply().simple("PONG");
  }
}

void echo(Client& client, Words words) {
  client.reply().text(words[1]);
}

void hello(Client& client, Words words) {
  auto protocol = static_cast<std::int64_t>(client.protocol);
  if (words.size() > 1) protocol = read_integer(words[1]).value_or(0);
  if (protocol != 2 && protocol != 3) return client.refuse("NOPROTO unsupported protocol version");
  std::string name = client.name;
  bool authenticated = client.authenticated;
  const Words options = words.subspan(std::min<std::size_t>(2, words.size()));
  if (const std::string problem = take_options(client, options, name, authenticated);
      !problem.empty())
    return client.refuse(problem);
  if (!authenticated)
    return client.refuse(
        "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO "
        "<proto> AUTH <user> <pass> option can be used to authenticate the client and select the "
        "RESP protocol version at the same time");
  client.name = name;
  client.authenticated = true;
  client.protocol = static_cast<resp::Protocol>(protocol);
  greet(client);
}

void auth(Client& client, Words words) {
  if (words.size() > 3) return client.refuse("ERR syntax error");
  if (client.loop.service().options().password.empty())
    return client.refuse(
        "ERR AUTH <password> called without any password configured for the default user. Are you "
        "sure your configuration is correct?");
  const std::string_view user = words.size() == 3 ? words[1] : "default";
  if (!right(client, user, words.back())) return client.refuse(kWrongPassword);
  client.authenticated = true;
  client.reply().ok();
}

void select_database(Client& client, Words words) {
  const std::optional<std::int64_t> index = read_integer(words[1]);
  if (!index) return client.refuse("ERR value is not an integer or out of range");
  if (*index != 0) return client.refuse("ERR DB index is out of range");
  client.reply().ok();
}

void client_command(Client& client, Words words) {
  const std::string what = lower_case(words[1]);
  if (what == "id" && words.size() == 2) {
    client.reply().integer(static_cast<std::int64_t>(client.id));
  } else if (what == "info" && words.size() == 2) {
    client.reply().verbatim(describe(client));
  } else if (what == "getname" && words.size() == 2) {
    client.reply().text(client.name);
  } else if (what == "setname" && words.size() == 3) {
    set_name(client, words[2]);
  } else if (what == "setinfo" && words.size() == 4) {
    set_info(client, words[2], words[3]);
  } else {
    client.refuse("ERR unknown subcommand or wrong number of arguments for " + quoted(words[1]) +
                  ". CLIENT knows ID, INFO, GETNAME, SETNAME, SETINFO.");
  }
}

void quit(Client& client, Words) {
  client.reply().ok();
  client.leaving = true;
}

void reset_connection(Client& client, Words) {
  client.transaction = {};
  client.name.clear();
  client.protocol = resp::Protocol::kResp2;
  client.authenticated = client.loop.service().options().password.empty();
  client.reply().simple("RESET");
}

}  // namespace tidegate::frontend
