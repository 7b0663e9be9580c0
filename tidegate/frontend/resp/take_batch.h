// Takes that were asked for one after the other and are decided together, in their order, so that
// the memory of all of them is fetched at once.
//
// Thread safety: none; each event loop has one, used by one conversation at a time. Cost: a copy of
// each key; no allocation once it has been full before.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tidegate/store/memory/memory_store.h"
#include "tidegate/store/store.h"
#include "tidegate/wire/resp_reply.h"

namespace tidegate::frontend {

// Writes the reply to a take that was decided.
using WriteDecision = void (*)(resp::ReplyWriter& reply, const Decision& decision);

class TakeBatch {
 public:
  bool empty() const { return takes_.empty(); }
  std::size_t size() const { return takes_.size(); }
  bool full() const { return takes_.size() == kMostTakes || keys_.size() >= kMostBytes; }

  // Requires that it is not full.
  void add(const Take& take, WriteDecision write);

  // Decides all; then tells of each: `tell(take, decision, write)`. Leaves the batch empty.
  template <class Tell>
  void decide(MemoryStore& store, Tell&& tell) {
    place_keys();
    decisions_.resize(takes_.size());
    store.take_batch(takes_, decisions_);
    for (std::size_t i = 0; i < takes_.size(); ++i) tell(takes_[i], decisions_[i], writes_[i]);
    takes_.clear();
    writes_.clear();
    keys_.clear();
  }

 private:
  static constexpr std::size_t kMostTakes = 64;
  static constexpr std::size_t kMostBytes = std::size_t{64} * 1024;

  void place_keys();

  std::string keys_;         // of all takes
  std::vector<Take> takes_;  // until they are decided, their keys have their sizes alone
  std::vector<WriteDecision> writes_;
  std::vector<Decision> decisions_;
};

}  // namespace tidegate::frontend
