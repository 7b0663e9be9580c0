#include "tidegate/store/memory/identity.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace tidegate::memory {

Identifier::Identifier() {
  std::random_device entropy;
  std::array<std::uint32_t, 48> words;
  static_assert(sizeof words == 192);
  std::generate(words.begin(), words.end(), std::ref(entropy));
  std::memcpy(secret_.data(), words.data(), sizeof words);
  for (std::uint64_t& salt : salt_) salt = std::uint64_t{entropy()} << 32 | entropy();
}

}  // namespace tidegate::memory
