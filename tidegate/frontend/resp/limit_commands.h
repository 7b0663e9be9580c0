// Our own commands, for limits of every kind in the one grammar:
//
//   RL.TAKE key limit [cost]        RL.MTAKE count key limit cost [key limit cost ...]
//   RL.CHECK key limit [cost]       RL.GIVEBACK key limit cost [at_us]       RL.RESET key
//
// A decision is [allowed, limit, remaining, retry_after_ms, reset_after_ms, at_us], a map of these
// names in RESP3; milliseconds are rounded up, a wait of -1 is for ever. RL.MTAKE tells the
// decision that bound, and its index as a seventh.
#pragma once

#include "tidegate/frontend/resp/client.h"

namespace tidegate::frontend {

void rl_take(Client& client, Words words);
void rl_check(Client& client, Words words);
void rl_mtake(Client& client, Words words);
void rl_give_back(Client& client, Words words);
void rl_reset(Client& client, Words words);

}  // namespace tidegate::frontend
