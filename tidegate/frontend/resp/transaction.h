// MULTI, EXEC, DISCARD: commands are queued and then carried out one after the other, and answered
// together. Each decides for itself; RL.MTAKE is for several takes that stand or fall together.
#pragma once

#include "tidegate/frontend/resp/client.h"

namespace tidegate::frontend {

void multi(Client& client, Words words);
void exec(Client& client, Words words);
void discard(Client& client, Words words);

// Keeps a command until EXEC.
void queue(Client& client, Words words);

}  // namespace tidegate::frontend
