// The commands: one table that dispatch, COMMAND and its documentation all read.
//
// Thread safety: the table is constant. Cost of finding a command: a hash of its length and two
// letters, and a comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tidegate/frontend/resp/client.h"

namespace tidegate::frontend {

struct Command {
  enum Flag : std::uint8_t {
    kWrite = 1,  // may change a key
    kReadOnly = 2,
    kFast = 4,
    kNoAuth = 8,    // is carried out before AUTH
    kAtOnce = 16,   // is not queued within MULTI
    kBatched = 32,  // may wait for those after it
  };

  std::string_view name;  // in lower case
  int arity;              // words, the name too; negative: at least so many
  std::uint8_t flags;
  std::uint8_t first_key;  // word; 0: none
  std::uint8_t key_step;   // words from key to key to the last one; 0: there is but one
  std::string_view group;
  std::string_view arguments;
  std::string_view summary;
  void (*carry_out)(Client& client, Words words);
};

std::span<const Command> commands();
// By a name in any case; null when there is none.
const Command* find_command(std::string_view name);

// Whether these are as many words as the command wants.
bool fits(const Command& command, std::size_t words);

// Answers one request: with what the command says, or with why it is not carried out.
void carry_out(Client& client, Words words);

bool equal_ignoring_case(std::string_view a, std::string_view lower_case);
std::string lower_case(std::string_view text);

}  // namespace tidegate::frontend
