#include "tidegate/cli/validate_text.h"

#include <algorithm>
#include <span>

#include "tidegate/base/json_string.h"
#include "tidegate/base/quote.h"
#include "tidegate/cli/text.h"
#include "tidegate/rules/surprises.h"

namespace tidegate::cli {
namespace {

using rules::Rule;

// `user`, or `user=42`; in quotes where that would not be one plain word.
std::string label(const Rule& rule) {
  std::string text;
  append_key(text, rule.value.empty() ? rule.key : rule.key + "=" + rule.value);
  return text;
}

// Where the columns of a tree end.
struct Widths {
  std::size_t label = 0;
  std::size_t limit = 0;
};

void widen(Widths& widths, std::span<const Rule> siblings, std::size_t indent) {
  for (const Rule& rule : siblings) {
    widths.label = std::max(widths.label, indent + label(rule).size());
    widths.limit = std::max(widths.limit, limit_text(rule).size());
    widen(widths, rule.rules, indent + 2);
  }
}

void pad(std::string& text, std::size_t line, std::size_t to) {
  const std::size_t used = text.size() - line;
  text.append(to - used, ' ');
}

// What is not seen from the limit.
std::string remarks(const Rule& rule) {
  std::string text;
  const auto add = [&](bool holds, const std::string& remark) {
    if (holds) text += (text.empty() ? "" : ", ") + remark;
  };
  add(rule.role == Role::kShadow, "shadow");
  add(rule.role == Role::kQuota, "quota");
  add(rule.share_threshold, "one for all values");
  add(!rule.name.empty(), "named " + quoted(rule.name));
  for (const std::string& name : rule.replaces) add(true, "replaces " + quoted(name));
  if (rule.limit)
    add(true, std::to_string(rules::worst_bytes(*rule.limit)) + " bytes a key at worst");
  return text;
}

void append_rules(std::string& text, std::span<const Rule> siblings, std::size_t indent,
                  const Widths& widths) {
  for (const Rule& rule : siblings) {
    const std::size_t line = text.size();
    text.append(indent, ' ');
    text += label(rule);
    pad(text, line, widths.label + 2);
    text += limit_text(rule);
    const std::string remark = remarks(rule);
    if (!remark.empty()) {
      pad(text, line, widths.label + widths.limit + 4);
      text += remark;
    }
    text += '\n';
    append_rules(text, rule.rules, indent + 2, widths);
  }
}

void append_member(std::string& text, std::string_view name, std::string_view value) {
  append_json_string(text, name);
  text += ':';
  append_json_string(text, value);
}

template <class Item, class Append>
void append_array(std::string& text, std::string_view name, std::span<const Item> items,
                  Append append) {
  append_json_string(text, name);
  text += ":[";
  for (const Item& item : items) {
    if (&item != items.data()) text += ',';
    append(text, item);
  }
  text += ']';
}

void append_problem(std::string& text, const Error& problem) {
  text += '{';
  append_member(text, "where", problem.where);
  text += ',';
  append_member(text, "what", problem.what);
  text += '}';
}

void append_rule(std::string& text, const Rule& rule) {
  text += '{';
  append_member(text, "rule", rule.path);
  text += ',';
  append_member(text, "where", rule.place);
  if (rule.limit) {
    text += ',';
    append_member(text, "limit", rule.limit->to_string());
    text += ',';
    append_member(text, "algorithm", name(rule.limit->algorithm()));
    text += ",\"worst_bytes\":";
    append_number(text, rules::worst_bytes(*rule.limit));
  }
  if (rule.unlimited) text += ",\"unlimited\":true";
  if (rule.role == Role::kShadow) text += ",\"shadow\":true";
  if (rule.role == Role::kQuota) text += ",\"quota\":true";
  text += ',';
  append_array<Rule>(text, "rules", rule.rules, append_rule);
  text += '}';
}

void append_domain(std::string& text, const rules::Domain& domain) {
  text += '{';
  append_member(text, "domain", domain.name);
  text += ',';
  append_array<Rule>(text, "rules", domain.rules, append_rule);
  text += '}';
}

}  // namespace

std::string limit_text(const Rule& rule) {
  if (rule.unlimited) return "unlimited";
  return rule.limit ? rule.limit->to_string() : "no limit";
}

void append_tree(std::string& text, const rules::RuleSet& rules) {
  for (const rules::Domain& domain : rules.domains()) {
    text += "domain ";
    append_key(text, domain.name);
    text += '\n';
    Widths widths;
    widen(widths, domain.rules, 2);
    append_rules(text, domain.rules, 2, widths);
  }
}

void append_json(std::string& text, const rules::Loaded& loaded) {
  text += loaded.rules == nullptr ? "{\"valid\":false," : "{\"valid\":true,";
  append_array<Error>(text, "errors", loaded.errors, append_problem);
  text += ',';
  append_array<Error>(text, "warnings", loaded.warnings, append_problem);
  text += ',';
  const auto domains =
      loaded.rules == nullptr ? std::span<const rules::Domain>{} : loaded.rules->domains();
  append_array<rules::Domain>(text, "domains", domains, append_domain);
  text += "}\n";
}

}  // namespace tidegate::cli
