#include "tidegate/frontend/http/rule_dump.h"

#include <span>

namespace tidegate::frontend::http {
namespace {

void append_line(std::string& out, const rules::Rule& rule) {
  out += rule.path + ": " + (rule.unlimited ? "unlimited" : rule.limit->to_string());
  if (!rule.name.empty()) out += ", name: " + rule.name;
  for (const std::string& name : rule.replaces) out += ", replaces: " + name;
  if (rule.role == Role::kShadow) out += ", shadow_mode: true";
  if (rule.role == Role::kQuota) out += ", quota_mode: true";
  if (rule.share_threshold) out += ", share_threshold: true";
  out += " (" + rule.place + ")\n";
}

void append(std::string& out, std::span<const rules::Rule> rules) {
  for (const rules::Rule& rule : rules) {
    if (rule.limit || rule.unlimited) append_line(out, rule);
    append(out, rule.rules);
  }
}

}  // namespace

std::string dump(const rules::RuleSet& rules) {
  std::string out;
  for (const rules::Domain& domain : rules.domains()) append(out, domain.rules);
  return out;
}

}  // namespace tidegate::frontend::http
