// Descriptors decided by the rules in use, as a proxy's rate limit service decides them:
//
//   RL.RULES domain n m key value [key value ...] [m key value ...] [COST cost]
//
// n descriptors, each of m entries of a key and a value; one decision for all. The reply is that of
// RL.MTAKE, its `binding` the index of the descriptor that bound. Where no limit is met, it is
// allowed, and `limit`, `remaining` and `binding` are -1.
#pragma once

#include "tidegate/frontend/resp/client.h"

namespace tidegate::frontend {

void rl_rules(Client& client, Words words);

}  // namespace tidegate::frontend
