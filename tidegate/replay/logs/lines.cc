#include "tidegate/replay/logs/lines.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tidegate::replay {
namespace {

// So much lies in the processor's second cache until it is looked at.
constexpr std::size_t kAtOnce = std::size_t{256} * 1024;

// A pipe gives less at once.
constexpr std::size_t kEnoughToDetect = std::size_t{256} * 1024;

std::string_view without_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

Lines::Lines(std::unique_ptr<Source> source)
    : source_{std::move(source)}, block_(kLongest + kLongest / 4) {}

bool Lines::next(std::string_view& line, bool& cut) {
  cut = false;
  if (in_cut_line_) skip_line();
  std::size_t looked_at = begin_;
  for (;;) {
    const char* const from = block_.data() + looked_at;
    const auto* newline = static_cast<const char*>(std::memchr(from, '\n', end_ - looked_at));
    if (newline != nullptr) {
      const auto at = static_cast<std::size_t>(newline - block_.data());
      cut = at - begin_ > kLongest;
      line = cut ? std::string_view{block_.data() + begin_, kLongest}
                 : without_return({block_.data() + begin_, at - begin_});
      begin_ = at + 1;
      return true;
    }
    if (end_ - begin_ >= kLongest) {
      line = {block_.data() + begin_, kLongest};
      begin_ = end_;
      cut = in_cut_line_ = true;
      return true;
    }
    looked_at = end_ - begin_;  // where that will be once the rest has been moved to the front
    if (!fill()) break;
  }
  line = without_return({block_.data() + begin_, end_ - begin_});
  begin_ = end_;
  return !line.empty();
}

// Up to its end and past that.
void Lines::skip_line() {
  in_cut_line_ = false;
  do {
    const char* const from = block_.data() + begin_;
    const auto* newline = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_));
    begin_ = newline == nullptr ? end_ : static_cast<std::size_t>(newline - block_.data()) + 1;
    if (newline != nullptr) return;
  } while (fill());
}

std::vector<std::string_view> Lines::first_lines(std::size_t most) {
  while (end_ < kEnoughToDetect && fill()) {
  }
  std::vector<std::string_view> lines;
  std::string_view rest{block_.data() + begin_, end_ - begin_};
  while (!rest.empty() && lines.size() < most) {
    const std::size_t newline = rest.find('\n');
    if (newline == std::string_view::npos && !ended_ && !lines.empty()) break;
    lines.push_back(without_return(rest.substr(0, newline)));
    rest.remove_prefix(newline == std::string_view::npos ? rest.size() : newline + 1);
  }
  return lines;
}

// Moves the rest to the front and reads behind it. False when there is nothing more.
bool Lines::fill() {
  if (begin_ > 0) std::memmove(block_.data(), block_.data() + begin_, end_ - begin_);
  end_ -= std::exchange(begin_, 0);
  if (ended_ || failure_) return false;
  const Expected<std::size_t> size =
      source_->read(block_.data() + end_, std::min(kAtOnce, block_.size() - end_));
  if (!size) {
    failure_ = size.error();
    return false;
  }
  ended_ = *size == 0;
  end_ += *size;
  return !ended_;
}

}  // namespace tidegate::replay
