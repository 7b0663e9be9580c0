// From a command to the store and back: the take, and the reply when its verdict comes, at once or
// late.
//
// Thread safety: none; on the connection's event loop. Cost: takes of a MemoryStore are decided in
// batches and allocate nothing; what waits for its answer is one allocation.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "tidegate/frontend/resp/client.h"

namespace tidegate::frontend {

// Writes the reply to takes that were decided together.
using WriteVerdict = void (*)(resp::ReplyWriter& reply, const Verdict& verdict);

// One take, which may wait for others that are asked for next, or one look at what a take would
// get.
enum class Ask { kTake, kCheck };
void ask(Client& client, const Take& take, Ask what, WriteDecision write);

// Several takes, one decision.
void ask(Client& client, std::span<const Take> takes, WriteVerdict write);

// These are answered by OK.
void give_back(Client& client, std::string_view key, const Limit& limit, Cost cost,
               std::optional<Time> at);
void reset(Client& client, std::string_view key);

}  // namespace tidegate::frontend
