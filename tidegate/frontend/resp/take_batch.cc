#include "tidegate/frontend/resp/take_batch.h"

namespace tidegate::frontend {

void TakeBatch::add(const Take& take, WriteDecision write) {
  keys_ += take.key;
  takes_.push_back(take);
  writes_.push_back(write);
}

// The bytes of the keys may have moved as they grew: now they stay.
void TakeBatch::place_keys() {
  std::size_t begin = 0;
  for (Take& take : takes_) {
    take.key = std::string_view{keys_}.substr(begin, take.key.size());
    begin += take.key.size();
  }
}

}  // namespace tidegate::frontend
