// What a client says about its connection: PING, ECHO, HELLO, AUTH, SELECT, CLIENT, QUIT, RESET.
#pragma once

#include "tidegate/frontend/resp/client.h"

namespace tidegate::frontend {

void ping(Client& client, Words words);
void echo(Client& client, Words words);
void hello(Client& client, Words words);
void auth(Client& client, Words words);
void select_database(Client& client, Words words);
void client_command(Client& client, Words words);
void quit(Client& client, Words words);
void reset_connection(Client& client, Words words);

}  // namespace tidegate::frontend
