// Replies in the order of their requests, however late and out of order they are made.
//
// A reply that is made at once goes straight to the output; one that comes later gets a numbered
// slot, and what follows waits behind it. Thread safety: none. Cost: O(1) a reply, and no
// allocation while no slot is open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

namespace tidegate::frontend {

class Slots {
 public:
  using Number = std::uint64_t;

  // Where a reply that is made at once is appended.
  std::string& next() {
    if (slots_.empty()) return output_;
    if (slots_.back().open) slots_.push_back({.open = false});
    return slots_.back().text;
  }

  Number open() {
    slots_.push_back({.open = true});
    ++outstanding_;
    return first_ + slots_.size() - 1;
  }

  // Where the reply of a slot is written before it is resolved.
  std::string& text(Number number) { return slots_[number - first_].text; }
  void resolve(Number number) {
    slots_[number - first_].open = false;
    --outstanding_;
    for (; !slots_.empty() && !slots_.front().open; slots_.pop_front(), ++first_)
      output_ += slots_.front().text;
  }

  // What is or will be output, O(slots).
  std::size_t bytes() const {
    std::size_t sum = output().size();
    for (const Slot& slot : slots_) sum += slot.text.size();
    return sum;
  }

  std::size_t outstanding() const { return outstanding_; }

  std::string_view output() const { return std::string_view{output_}.substr(sent_); }
  void sent(std::size_t bytes) {
    sent_ += bytes;
    if (sent_ < output_.size()) return;
    if (output_.capacity() > kIdleBytes) std::string{}.swap(output_);
    output_.clear();
    sent_ = 0;
  }

 private:
  static constexpr std::size_t kIdleBytes = std::size_t{64} * 1024;

  struct Slot {
    bool open;
    std::string text = {};
  };

  std::string output_;
  std::size_t sent_ = 0;
  std::deque<Slot> slots_;
  Number first_ = 0;  // the number of slots_.front()
  std::size_t outstanding_ = 0;
};

}  // namespace tidegate::frontend
