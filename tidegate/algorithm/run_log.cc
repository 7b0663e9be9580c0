#include "tidegate/algorithm/run_log.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tidegate {
namespace {

// The next capacity: a quarter more, so that at most a fifth is empty after a growth.
std::size_t grown(std::size_t capacity) {
  return capacity + std::max<std::size_t>(2, capacity / 4);
}

constexpr std::size_t kFirstCapacity = 3;  // fills malloc's smallest block

}  // namespace

RunLog::RunLog(const RunLog& other) {
  for (std::size_t i = 0; i < other.size(); ++i) push_back(other[i], other.size());
}

RunLog::RunLog(RunLog&& other) noexcept
    : cells_{std::exchange(other.cells_, nullptr)},
      head_{std::exchange(other.head_, 0)},
      size_{std::exchange(other.size_, 0)},
      shape_{std::exchange(other.shape_, 0)},
      used_{std::exchange(other.used_, 0)} {}

RunLog& RunLog::operator=(RunLog other) noexcept {
  std::swap(cells_, other.cells_);
  std::swap(head_, other.head_);
  std::swap(size_, other.size_);
  std::swap(shape_, other.shape_);
  std::swap(used_, other.used_);
  return *this;
}

RunLog::~RunLog() {
  delete[] cells_;
}

void RunLog::push_back(Run run, std::size_t most) {
  assert(run.count > 0 && (empty() || back().at <= run.at));
  if (size_ == capacity()) {
    const std::size_t wanted = capacity() == 0 ? kFirstCapacity : grown(capacity());
    reshape(std::max(std::min(wanted, most), std::size_t{size_} + 1), wide());
  }
  widen_for(run);
  save(slot(size_), run);
  ++size_;
  used_ += run.count;
}

void RunLog::set(std::size_t i, Run run) {
  assert(i < size_ && run.count > 0);
  used_ += run.count - (*this)[i].count;
  widen_for(run);
  save(slot(i), run);
}

void RunLog::pop_front(std::size_t runs) {
  assert(runs <= size_);
  for (std::size_t i = 0; i < runs; ++i) used_ -= (*this)[i].count;
  head_ = static_cast<std::uint32_t>(runs < size_ ? slot(runs) : 0);
  size_ -= static_cast<std::uint32_t>(runs);
}

void RunLog::pop_back(std::size_t runs) {
  assert(runs <= size_);
  for (std::size_t i = size_ - runs; i < size_; ++i) used_ -= (*this)[i].count;
  size_ -= static_cast<std::uint32_t>(runs);
}

void RunLog::erase(std::size_t i) {
  assert(i < size_);
  used_ -= (*this)[i].count;
  for (; i + 1 < size_; ++i) save(slot(i), (*this)[i + 1]);
  --size_;
}

bool operator==(const RunLog& a, const RunLog& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

void RunLog::save(std::size_t slot, Run run) {
  const auto at = static_cast<std::uint64_t>(run.at.time_since_epoch().count());
  if (!wide()) {
    cells_[slot] = at << kCountBits | run.count;
    return;
  }
  cells_[2 * slot] = at;
  cells_[2 * slot + 1] = run.count;
}

void RunLog::widen_for(Run run) {
  if (run.count > kMaxNarrow && !wide()) reshape(capacity(), true);
}

// Moves every run into a ring of another capacity or cell.
void RunLog::reshape(std::size_t capacity, bool wide) {
  RunLog next;
  next.cells_ = new std::uint64_t[wide ? 2 * capacity : capacity];
  next.shape_ = static_cast<std::uint32_t>(capacity) | (wide ? kWide : 0);
  for (std::size_t i = 0; i < std::min(std::size_t{size_}, capacity); ++i) next.save(i, (*this)[i]);
  next.size_ = size_;
  next.used_ = used_;
  *this = std::move(next);
}

void RunLog::trim() {
  if (size_ == 0) {
    *this = RunLog{};
  } else if (capacity() > 16 && size_ < capacity() / 4) {
    reshape(capacity() / 2, wide());
  }
}

}  // namespace tidegate
