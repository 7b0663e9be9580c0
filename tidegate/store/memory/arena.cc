#include "tidegate/store/memory/arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <new>
#include <utility>

#include "tidegate/store/memory/work.h"

namespace tidegate::memory {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 38;   // what 32-bit line numbers reach
constexpr std::uint64_t kLeast = std::uint64_t{1} << 24;

std::uint64_t physical_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

Arena::Arena() {
  // As much as the machine has; less where the process may not reserve so much.
  reserved_ = std::clamp(std::bit_ceil(physical_memory()), kLeast, kMost);
  for (; reserved_ >= kLeast; reserved_ /= 2) {
    void* base = mmap(nullptr, reserved_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) continue;
    base_ = static_cast<std::byte*>(base);
    // A huge page would be zeroed whole within one take.
    madvise(base_, reserved_, MADV_NOHUGEPAGE);
    return;
  }
  throw std::bad_alloc{};
}

Arena::~Arena() { munmap(base_, reserved_); }

Line Arena::allocate(std::uint32_t lines) {
  const SpinGuard guard{lock_};
  in_use_ += lines;
  Line& head = free_[size_class(lines)];
  if (head != kNoLine) return std::exchange(head, *at<Line>(head));
  if ((next_ + lines) * kLineBytes > reserved_) throw std::bad_alloc{};
  work_of_this_thread.bytes_mapped += lines * kLineBytes;
  return static_cast<Line>(std::exchange(next_, next_ + lines));
}

void Arena::release(Line first, std::uint32_t lines) {
  assert(first >= kZeroLines);
  const SpinGuard guard{lock_};
  in_use_ -= lines;
  *at<Line>(first) = std::exchange(free_[size_class(lines)], first);
}

std::uint64_t Arena::bytes_in_use() const {
  const SpinGuard guard{lock_};
  return in_use_ * kLineBytes;
}

std::size_t Arena::size_class(std::uint32_t lines) {
  assert(lines == 5 || std::has_single_bit(lines));
  return lines == 5 ? kSizes - 1 : static_cast<std::size_t>(std::countr_zero(lines));
}

}  // namespace tidegate::memory
