#include "tidegate/frontend/rls/response_headers.h"

#include <algorithm>
#include <optional>
#include <string>

#include "tidegate/frontend/rls/waits.h"

namespace tidegate::frontend::rls {
namespace {

// What bound: a decision, its take, and the rule that has it, if it is one's.
struct Bound {
  const Decision& decision;
  const Take& take;
  const rules::Rule* rule;
};

std::optional<Bound> bound_of(const RuleCall& call) {
  const Decision* const decision = call.bound();
  for (const rules::Met& met : call.descriptors()) {
    const Take* const take = call.take(met);
    if (decision != nullptr && take != nullptr && met.take == call.binding())
      return Bound{*decision, *take, met.rule};
  }
  return std::nullopt;
}

void add_three(std::string_view prefix, const Decision& decision, const AddHeader& add) {
  const auto name = [&](std::string_view end) { return std::string{prefix}.append(end); };
  add(name("RateLimit-Limit"), std::to_string(decision.capacity));
  add(name("RateLimit-Remaining"), std::to_string(remaining_of(decision)));
  add(name("RateLimit-Reset"), std::to_string(seconds_until_change(decision)));
}

// The name of a policy as a string of structured fields, which are printable ASCII.
std::string policy_name(const rules::Rule* rule) {
  const auto printable = [](char c) { return c >= ' ' && c <= '~'; };
  if (rule == nullptr || rule->name.empty() ||
      !std::all_of(rule->name.begin(), rule->name.end(), printable))
    return "\"default\"";
  std::string text = "\"";
  for (const char c : rule->name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

// A window is in whole seconds, or it is not told.
std::string window(Duration period) {
  constexpr Duration kSecond{std::chrono::seconds{1}};
  return period % kSecond == Duration{0} ? ";w=" + std::to_string(period / kSecond) : "";
}

void add_ietf(const Bound& bound, const AddHeader& add) {
  const std::string name = policy_name(bound.rule);
  add("RateLimit-Policy",
      name + ";q=" + std::to_string(bound.decision.capacity) + window(bound.take.limit.period()));
  add("RateLimit", name + ";r=" + std::to_string(remaining_of(bound.decision)) +
                       ";t=" + std::to_string(seconds_until_change(bound.decision)));
}

}  // namespace

void for_each_response_header(ResponseHeaders form, const RuleCall& call, const AddHeader& add) {
  const std::optional<Bound> bound = bound_of(call);
  if (form == ResponseHeaders::kNone || !bound) return;
  if (form == ResponseHeaders::kRateLimit) add_three("", bound->decision, add);
  if (form == ResponseHeaders::kXRateLimit) add_three("X-", bound->decision, add);
  if (form == ResponseHeaders::kIetf) add_ietf(*bound, add);
  if (call.allowed()) return;
  if (const auto seconds = seconds_to_wait(bound->decision))
    add("Retry-After", std::to_string(*seconds));
}

}  // namespace tidegate::frontend::rls
