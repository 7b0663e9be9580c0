#include "tidegate/replay/key_table.h"

#include <functional>

namespace tidegate::replay {

KeyId KeyTable::id(std::string_view key) {
  const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>{}(key));
  std::size_t slot = slot_of(key, hash);
  if (slots_[slot].id_and_one != 0) return slots_[slot].id_and_one - 1;
  if (2 * (size() + 1) > slots_.size()) {
    grow();
    slot = slot_of(key, hash);
  }
  bytes_ += key;
  ends_.push_back(bytes_.size());
  slots_[slot] = {hash, static_cast<KeyId>(size())};
  return static_cast<KeyId>(size() - 1);
}

// Where the key is, or the free slot where it would be.
std::size_t KeyTable::slot_of(std::string_view key, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot].id_and_one != 0; slot = (slot + 1) & mask)
    if (slots_[slot].hash == hash && this->key(slots_[slot].id_and_one - 1) == key) break;
  return slot;
}

void KeyTable::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& moved : old) {
    if (moved.id_and_one == 0) continue;
    std::size_t slot = moved.hash & mask;
    while (slots_[slot].id_and_one != 0) slot = (slot + 1) & mask;
    slots_[slot] = moved;
  }
}

}  // namespace tidegate::replay
