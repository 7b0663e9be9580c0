#include "tidegate/rules/read_domain.h"

#include "tidegate/base/quote.h"
#include "tidegate/rules/fields.h"
#include "tidegate/rules/pattern.h"
#include "tidegate/rules/read_limit.h"

namespace tidegate::rules {
namespace {

using yaml::Node;

std::vector<Rule> read_rules(const Node& list, Algorithm default_algorithm, Report& report);

// A rule, and what is needed to finish it.
struct RuleDraft {
  Algorithm default_algorithm;
  Rule rule = {};
  bool shadow = false;
  bool quota = false;
};

constexpr Field<RuleDraft> kRuleFields[] = {
    {"key", [](const Node& node, RuleDraft& into,
               Report& report) { read_text(node, into.rule.key, report); }},
    {"value", [](const Node& node, RuleDraft& into,
                 Report& report) { read_text(node, into.rule.value, report); }},
    {"rate_limit",
     [](const Node& node, RuleDraft& into, Report& report) {
       read_rate_limit(node, into.default_algorithm, into.rule, report);
     }},
    {"descriptors",
     [](const Node& node, RuleDraft& into, Report& report) {
       into.rule.rules = read_rules(node, into.default_algorithm, report);
     }},
    {"shadow_mode", [](const Node& node, RuleDraft& into,
                       Report& report) { read_truth(node, into.shadow, report); }},
    {"quota_mode", [](const Node& node, RuleDraft& into,
                      Report& report) { read_truth(node, into.quota, report); }},
    {"detailed_metric",
     [](const Node& node, RuleDraft& into, Report& report) {
       read_truth(node, into.rule.detailed_metric, report);
     }},
    {"value_to_metric",
     [](const Node& node, RuleDraft& into, Report& report) {
       read_truth(node, into.rule.value_to_metric, report);
     }},
    {"share_threshold",
     [](const Node& node, RuleDraft& into, Report& report) {
       read_truth(node, into.rule.share_threshold, report);
     }},
    {"metadata",
     [](const Node& node, RuleDraft& into, Report& report) {
       if (!node.is_map())
         report.mistake(node.mark, "expected a map, found " + yaml::describe(node));
       into.rule.metadata = node;
     }},
};

yaml::Mark mark_of(const Node& map, std::string_view key) {
  const Node* const value = map.find(key);
  return value == nullptr ? map.mark : value->mark;
}

bool lacks(const Node& map, std::string_view key) {
  const Node* const value = map.find(key);
  return value == nullptr || value->is_null() || (value->is_scalar() && value->text.empty());
}

void check_rule(const Node& node, const Rule& rule, Report& report) {
  if (lacks(node, "key"))
    report.mistake(mark_of(node, "key"), "a descriptor needs a key, and this one has none");
  if (rule.share_threshold && !is_pattern(rule.value))
    report.mistake(mark_of(node, "share_threshold"),
                   "share_threshold goes with a value that has a *, as in value: \"a/*\"");
}

void warn_of_rule(const Node& node, const RuleDraft& draft, Report& report) {
  const Rule& rule = draft.rule;
  if (is_pattern(rule.key))
    report.warn(mark_of(node, "key"), "a * in a key stands for itself; only a value is a pattern");
  if (draft.shadow && draft.quota)
    report.warn(mark_of(node, "quota_mode"), "quota_mode does not count beside shadow_mode");
  const bool limits = rule.limit || rule.unlimited;
  if (!limits && (draft.shadow || draft.quota) && rule.rules.empty())
    report.warn(mark_of(node, draft.shadow ? "shadow_mode" : "quota_mode"),
                "without a rate_limit beside it, this changes nothing");
  if (rule.detailed_metric || rule.value_to_metric)
    report.warn(mark_of(node, rule.detailed_metric ? "detailed_metric" : "value_to_metric"),
                "metrics are counted by rule, never by value: this changes nothing");
}

Rule read_rule(const Node& node, Algorithm default_algorithm, Report& report) {
  RuleDraft draft{.default_algorithm = default_algorithm};
  draft.rule.place = report.place(node.mark);
  const std::size_t before = report.errors.size();
  const bool known = read_map<RuleDraft>(node, "a descriptor, as in {key: user, rate_limit: ...}",
                                         kRuleFields, draft, report);
  if (draft.quota) draft.rule.role = Role::kQuota;
  if (draft.shadow) draft.rule.role = Role::kShadow;
  if (known) check_rule(node, draft.rule, report);
  if (report.errors.size() == before) warn_of_rule(node, draft, report);
  return std::move(draft.rule);
}

std::vector<Rule> read_rules(const Node& list, Algorithm default_algorithm, Report& report) {
  std::vector<Rule> rules;
  for (const Node& item : items(list, "a list of descriptors", report))
    rules.push_back(read_rule(item, default_algorithm, report));
  return rules;
}

struct DomainDraft {
  Algorithm default_algorithm;
  Domain domain = {};
  std::string name = {};  // of the resource that was dumped; says nothing more
};

constexpr Field<DomainDraft> kDomainFields[] = {
    {"domain", [](const Node& node, DomainDraft& into,
                  Report& report) { read_text(node, into.domain.name, report); }},
    {"descriptors",
     [](const Node& node, DomainDraft& into, Report& report) {
       into.domain.rules = read_rules(node, into.default_algorithm, report);
     }},
    {"name", [](const Node& node, DomainDraft& into,
                Report& report) { read_text(node, into.name, report); }},
};

}  // namespace

Domain read_domain(const Node& document, Algorithm default_algorithm, Report& report) {
  DomainDraft draft{.default_algorithm = default_algorithm};
  const bool known = read_map<DomainDraft>(document, "a map with domain and descriptors",
                                           kDomainFields, draft, report);
  if (known && lacks(document, "domain"))
    report.mistake(mark_of(document, "domain"), "expected a domain, as in domain: api");
  return std::move(draft.domain);
}

}  // namespace tidegate::rules
