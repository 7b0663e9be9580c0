// Names each key that a log holds by a number, 0, 1, 2, ... in the order of their first lines.
//
// Thread safety: reading is safe from many threads while nothing is added. Cost: a hash and, as a
// rule, one comparison; about 16 bytes a key and its own bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tidegate::replay {

using KeyId = std::uint32_t;

class KeyTable {
 public:
  KeyTable() : slots_(kFirstSlots) {}

  KeyId id(std::string_view key);  // adds the key if it is new
  std::string_view key(KeyId id) const {
    return std::string_view{bytes_}.substr(ends_[id], ends_[id + 1] - ends_[id]);
  }
  std::size_t size() const { return ends_.size() - 1; }

 private:
  static constexpr std::size_t kFirstSlots = 1024;  // a power of two, as it stays

  struct Slot {
    std::uint32_t hash = 0;
    KeyId id_and_one = 0;  // 0: free
  };

  std::size_t slot_of(std::string_view key, std::uint32_t hash) const;
  void grow();

  std::vector<Slot> slots_;
  std::string bytes_;                      // of all keys
  std::vector<std::uint64_t> ends_ = {0};  // key i is bytes_[ends_[i], ends_[i + 1])
};

}  // namespace tidegate::replay
