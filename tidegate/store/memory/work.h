// What a call did beyond its own state, counted so that tests can hold the table to its promise: no
// call moves more than 64 states, zeroes or maps more than 64 KiB, or frees more than one segment.
//
// One count per thread; reset it, make the call, read it. Cost: an addition at each such event,
// none on the path of a take that meets its state.
#pragma once

#include <cstdint>

namespace tidegate::memory {

struct Work {
  std::uint64_t states_moved = 0;
  std::uint64_t bytes_zeroed = 0;  // or filled: new directories and segment headers
  std::uint64_t bytes_mapped = 0;  // touched for the first time
  std::uint64_t segments_freed = 0;
};

inline thread_local Work work_of_this_thread;

}  // namespace tidegate::memory
