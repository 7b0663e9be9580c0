// A queue in one stretch of memory, whose elements can be looked at by number.
//
// Thread safety: as std::vector. Cost: O(1) amortised; once it has grown, without allocation.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tidegate::redis {

template <class T>
class Fifo {
 public:
  bool empty() const { return size() == 0; }
  std::size_t size() const { return items_.size() - begin_; }
  T& operator[](std::size_t i) { return items_[begin_ + i]; }

  void push(T item) { items_.push_back(std::move(item)); }

  T pop() {
    T item = std::move(items_[begin_++]);
    if (empty()) {
      items_.clear();
      begin_ = 0;
    } else if (begin_ >= kSlack && begin_ * 2 >= items_.size()) {
      items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(begin_));
      begin_ = 0;
    }
    return item;
  }

 private:
  static constexpr std::size_t kSlack = 256;

  std::vector<T> items_;
  std::size_t begin_ = 0;
};

}  // namespace tidegate::redis
