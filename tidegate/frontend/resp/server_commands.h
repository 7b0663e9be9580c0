// What a client asks about the server: COMMAND, CONFIG GET, INFO.
#pragma once

#include "tidegate/frontend/resp/client.h"

namespace tidegate::frontend {

void command_command(Client& client, Words words);
void config(Client& client, Words words);
void info(Client& client, Words words);

}  // namespace tidegate::frontend
