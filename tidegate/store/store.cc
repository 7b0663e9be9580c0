#include "tidegate/store/store.h"

#include "tidegate/base/quote.h"

namespace tidegate {
namespace {

Error at_key(std::string_view key, std::string what) {
  return {"key " + quoted(key), std::move(what)};
}

std::optional<Error> key_problem(std::string_view key) {
  if (key.size() <= kMaxKeyBytes) return std::nullopt;
  return at_key(key, "a key is at most 65536 bytes, this one has " + std::to_string(key.size()));
}

bool same_identity(const Take& a, const Take& b) {
  return a.key == b.key && a.limit.algorithm() == b.limit.algorithm();
}

std::optional<Error> conflict(const Take& take, std::span<const Take> before) {
  for (const Take& other : before)
    if (same_identity(take, other) && take.limit != other.limit)
      return at_key(take.key, "two limits in one request, " + other.limit.to_string() + " and " +
                                  take.limit.to_string() + "; give each limit its own key");
  return std::nullopt;
}

}  // namespace

std::optional<Error> problem_with(std::string_view key, Cost cost) {
  if (cost < 0)
    return at_key(key, "a cost is not negative, this one is " + std::to_string(cost) +
                           "; give_back undoes a take");
  return key_problem(key);
}

std::optional<Error> problem_with(std::span<const Take> takes) {
  if (takes.empty() || takes.size() > kMaxTakes)
    return Error{"request", "expected 1 to 128 takes, got " + std::to_string(takes.size())};
  for (std::size_t i = 0; i < takes.size(); ++i) {
    if (auto problem = problem_with(takes[i].key, takes[i].cost)) return problem;
    if (auto problem = conflict(takes[i], takes.first(i))) return problem;
  }
  return std::nullopt;
}

std::optional<Error> problem_with(const GiveBackOp& op) {
  return problem_with(op.key, op.cost);
}

std::optional<Error> problem_with(const ResetOp& op) {
  return key_problem(op.key);
}

}  // namespace tidegate
