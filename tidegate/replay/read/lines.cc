#include "tidegate/replay/read/lines.h"

#include <algorithm>
#include <span>

namespace tidegate::replay {
namespace {

// Within the second cache of the processors of the last ten years.
constexpr std::size_t kBlock = 256 << 10;

}  // namespace

Lines::Lines(std::unique_ptr<Source> source)
    : source_{std::move(source)}, block_(kBlock), at_{block_.data()}, end_{block_.data()} {}

// Reads behind what is not used yet. False at the end, or if there is no room.
bool Lines::refill() {
  const auto kept = static_cast<std::size_t>(end_ - at_);
  if (kept >= kMaxLine || failure_) return false;
  std::memmove(block_.data(), at_, kept);
  if (kept == block_.size()) block_.resize(std::min(2 * block_.size(), kMaxLine));
  at_ = block_.data();
  end_ = at_ + kept;
  const auto count = source_->read(std::span{block_}.subspan(kept));
  if (!count) {
    failure_ = count.error();
    return false;
  }
  end_ += *count;
  return *count > 0;
}

// What is left of a line of which the front was given.
void Lines::skip_line() {
  do {
    const void* newline = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
    at_ = newline == nullptr ? end_ : static_cast<const char*>(newline) + 1;
    if (newline != nullptr) return;
  } while (refill());
}

bool Lines::next_after_refill(std::string_view& line) {
  if (too_long_) {
    too_long_ = false;
    skip_line();
    return next(line);
  }
  const void* newline = nullptr;
  while (newline == nullptr) {
    const auto looked = static_cast<std::size_t>(end_ - at_);
    if (!refill()) break;
    newline = std::memchr(at_ + looked, '\n', static_cast<std::size_t>(end_ - at_) - looked);
  }
  if (newline == nullptr && at_ == end_) return false;
  const char* end = newline == nullptr ? end_ : static_cast<const char*>(newline);
  too_long_ = newline == nullptr && static_cast<std::size_t>(end_ - at_) >= kMaxLine;
  line = line_up_to(end);
  at_ = newline == nullptr ? end_ : end + 1;
  return true;
}

std::string_view Lines::look_ahead() {
  while (static_cast<std::size_t>(end_ - at_) < kBlock && refill()) {
  }
  return {at_, static_cast<std::size_t>(end_ - at_)};
}

}  // namespace tidegate::replay
