// Reads logs into a trace: keys by any fields, conditions, costs; puts lines that are out of order
// right.
//
// Cost: that of the reader and of a look-up of the key; 16 bytes a request. Thread safety: none.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tidegate/base/expected.h"
#include "tidegate/replay/condition.h"
#include "tidegate/replay/trace.h"

namespace tidegate::replay {

struct LoadPlan {
  std::vector<std::string> files;
  std::string form;                          // see ReadOptions
  std::string fields;                        // see ReadOptions
  std::vector<std::string> by = {"client"};  // the fields that make a key
  std::vector<Condition> where;
  std::string cost;           // a field; empty: 1
  bool skip_refused = false;  // whether what the server refused itself counts
};

// Is told now and then how many of the bytes have been read; 0 in all: it is not known.
using OnProgress = std::function<void(std::uint64_t bytes, std::uint64_t of, std::uint64_t lines)>;

// An error when a file cannot be read or a field is not there.
Expected<Trace> load(const LoadPlan& plan, const OnProgress& on_progress);

// Several values are one key with bars between; bars within them are escaped, so that no two lists
// look alike.
void append_escaped(std::string& key, std::string_view value);

}  // namespace tidegate::replay
