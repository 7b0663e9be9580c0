// The traffic of a log as the limits see it: who asked when, and for how much.
//
// A plain value, 16 bytes a request; what a request was besides is gone. Thread safety: as an int.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tidegate/base/time.h"
#include "tidegate/replay/key_table.h"
#include "tidegate/replay/logs/log_reader.h"

namespace tidegate::replay {

struct Hit {
  Time at;
  KeyId key;
  std::uint32_t cost;
};
static_assert(sizeof(Hit) == 16);

struct Trace {
  KeyTable keys;
  std::vector<Hit> hits;  // in the order of their times; equal ones in that of their lines

  ReadCounts read;                     // what the lines were
  std::uint64_t left_out = 0;          // by --where
  std::uint64_t without_cost = 0;      // lines whose cost is no number; left out too
  std::uint64_t refused = 0;           // answered 429 or 503 by the server itself
  std::uint64_t refused_left_out = 0;  // of those, by --refused skip
  std::uint64_t out_of_order = 0;      // lines older than the one before; put right
  std::vector<std::string> notes;      // how the lines were read, a sentence each

  Duration span() const { return hits.empty() ? Duration{0} : hits.back().at - hits.front().at; }
};

}  // namespace tidegate::replay
