// How verdicts look in a failed test; decisions, limits and errors as limits.h shows them.
//
// Pure. Included wherever tests compare them.
#pragma once

#include <ostream>

#include "tests/support/limits.h"
#include "tidegate/store/store.h"

namespace tidegate {

inline void PrintTo(const Verdict& verdict, std::ostream* out) {
  *out << (verdict.allowed ? "allowed" : "denied") << (verdict.degraded ? " degraded" : "")
       << " bound by " << verdict.binding;
  for (const Decision& decision : verdict.decisions) PrintTo(decision, &(*out << "\n  "));
}

}  // namespace tidegate
