#include "tidegate/store/settle.h"

namespace tidegate {
namespace {

// Whether `a` binds tighter than `b` does.
bool tighter(const Decision& a, const Decision& b, bool request_admitted) {
  if (request_admitted) return a.remaining < b.remaining;
  if (a.allowed != b.allowed) return !a.allowed;
  return a.retry_after > b.retry_after;
}

}  // namespace

bool admitted(std::span<const Take> takes, std::span<const Decision> decisions) {
  bool has_quota = false;
  bool quota_left = false;
  for (std::size_t i = 0; i < takes.size(); ++i) {
    if (takes[i].role == Role::kBinding && !decisions[i].allowed) return false;
    if (takes[i].role != Role::kQuota) continue;
    has_quota = true;
    quota_left |= decisions[i].allowed;
  }
  return !has_quota || quota_left;
}

std::size_t binding_take(std::span<const Take> takes, std::span<const Decision> decisions,
                         bool request_admitted) {
  std::size_t bound = takes.size();
  for (std::size_t i = 0; i < takes.size(); ++i) {
    if (takes[i].role == Role::kShadow) continue;
    if (bound == takes.size() || tighter(decisions[i], decisions[bound], request_admitted))
      bound = i;
  }
  return bound == takes.size() ? 0 : bound;
}

}  // namespace tidegate
