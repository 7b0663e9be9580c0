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

constexpr std::uint64_t kMost = std::uint64_t{1} << 38;  // what 32-bit line numbers reach
constexpr std::uint64_t kLeast = std::uint64_t{1} << 24;
constexpr std::uint64_t kHugePage = std::uint64_t{1} << 21;

constexpr std::uint64_t round_up(std::uint64_t bytes) {
  return (bytes + kHugePage - 1) & -kHugePage;
}

std::uint64_t physical_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void* reserve(std::uint64_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

// As much as the machine has; less where the process may not reserve so much.
Arena::Arena() {
  reserved_ = std::clamp(std::bit_ceil(physical_memory()), kLeast, kMost);
  while ((mapping_ = reserve(reserved_ + kHugePage)) == nullptr)
    if ((reserved_ /= 2) < kLeast) throw std::bad_alloc{};
  const auto address = reinterpret_cast<std::uintptr_t>(mapping_);
  base_ = static_cast<std::byte*>(mapping_) + (round_up(address) - address);
  // A huge page met by a take would be zeroed whole within it; see ready_ahead.
  madvise(base_, reserved_, MADV_NOHUGEPAGE);
}

Arena::~Arena() {
  munmap(mapping_, reserved_ + kHugePage);
}

// The first huge page before anything is in use; once that is half full, two to three ahead of what
// is. (Pages in use cannot be joined to a huge one without their takes waiting for it.)
void Arena::ready_ahead() {
  std::uint64_t used;
  {
    const SpinGuard guard{lock_};
    used = next_ * kLineBytes;
  }
  const std::uint64_t ready = ready_.load(std::memory_order_relaxed);
  const bool fresh = used == kZeroLines * kLineBytes;
  if (fresh && ready == 0) ready_.store(ready_pages(0, kHugePage), std::memory_order_relaxed);
  if (used < kHugePage / 2) return;
  const std::uint64_t end = std::min(round_up(used) + 2 * kHugePage, reserved_);
  ready_.store(ready_pages(std::max(round_up(used), ready), end), std::memory_order_relaxed);
}

// Touching a huge page makes the kernel map it; a take may be there already, so the touch must not
// change what it finds.
std::uint64_t Arena::ready_pages(std::uint64_t page, std::uint64_t end) const {
  for (; page < end; page += kHugePage) {
    madvise(base_ + page, kHugePage, MADV_HUGEPAGE);
    std::atomic_ref{*at<std::uint64_t>(static_cast<Line>(page / kLineBytes))}.fetch_add(0);
  }
  return page;
}

Line Arena::allocate(std::uint32_t lines) {
  const SpinGuard guard{lock_};
  in_use_ += lines;
  Line& head = free_[size_class(lines)];
  if (head != kNoLine) return std::exchange(head, *at<Line>(head));
  if ((next_ + lines) * kLineBytes > reserved_) throw std::bad_alloc{};
  if (next_ * kLineBytes >= ready_.load(std::memory_order_relaxed))
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
