#include "tidegate/frontend/resp/transaction.h"

#include <utility>

#include "tidegate/frontend/resp/command.h"

namespace tidegate::frontend {
namespace {

constexpr std::size_t kMostCommands = 4096;
constexpr std::size_t kMostBytes = std::size_t{1} << 20;

// However little a client takes of what it is answered, one EXEC adds no more than this.
bool too_much_answered(const Client& client) {
  return client.outbox->slots.bytes() > client.loop.service().options().max_output;
}

void carry_out_queued(Client& client, const std::vector<std::string>& command) {
  if (too_much_answered(client))
    return client.refuse("ERR not carried out: the answers of this EXEC are too long");
  const std::vector<std::string_view> words{command.begin(), command.end()};
  find_command(words.front())->carry_out(client, words);
}

}  // namespace

void multi(Client& client, Words) {
  if (client.transaction.open) return client.refuse("ERR MULTI calls can not be nested");
  client.transaction.open = true;
  client.reply().ok();
}

void exec(Client& client, Words) {
  if (!client.transaction.open) return client.refuse("ERR EXEC without MULTI");
  const Transaction transaction = std::exchange(client.transaction, {});
  if (transaction.spoiled)
    return client.refuse("EXECABORT Transaction discarded because of previous errors.");
  client.reply().array(transaction.commands.size());
  for (const auto& command : transaction.commands) carry_out_queued(client, command);
}

void discard(Client& client, Words) {
  if (!client.transaction.open) return client.refuse("ERR DISCARD without MULTI");
  client.transaction = {};
  client.reply().ok();
}

void queue(Client& client, Words words) {
  Transaction& transaction = client.transaction;
  for (const std::string_view word : words) transaction.bytes += word.size();
  if (transaction.commands.size() == kMostCommands || transaction.bytes > kMostBytes) {
    transaction.spoiled = true;
    return client.refuse("ERR too much is queued: at most 4096 commands and 1 MiB of them");
  }
  transaction.commands.emplace_back(words.begin(), words.end());
  client.reply().simple("QUEUED");
}

}  // namespace tidegate::frontend
