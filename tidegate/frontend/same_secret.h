// Compares a guess with a secret in a time that does not tell how much of the guess was right.
//
// Thread safety: pure. Cost: O(bytes of the guess).
#pragma once

#include <cstddef>
#include <string_view>

namespace tidegate::frontend {

inline bool same_secret(std::string_view guess, std::string_view secret) {
  unsigned difference = guess.size() != secret.size();
  for (std::size_t i = 0; i < guess.size(); ++i) {
    const char c = secret.empty() ? '\0' : secret[i % secret.size()];
    difference |= static_cast<unsigned char>(guess[i] ^ c);
  }
  return difference == 0;
}

}  // namespace tidegate::frontend
