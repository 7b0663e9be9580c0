// What rule files mean: the format as envoyproxy/ratelimit has it, and what tidegate adds.
#include "tidegate/rules/load.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/rules/loaded.h"
#include "tidegate/rules/surprises.h"

namespace tidegate::test {
namespace {

namespace fs = std::filesystem;

std::string with_limit(std::string_view inside) {
  return "domain: d\ndescriptors: [{key: k, rate_limit: {" + std::string{inside} + "}}]\n";
}

// The limit of the only rule, as text.
std::string limit_of_rule(std::string_view inside, rules::LoadOptions options = {}) {
  const rules::Loaded loaded = load_text(with_limit(inside), options);
  if (loaded.rules == nullptr) return joined(loaded.errors);
  return loaded.rules->domains()[0].rules[0].limit->to_string();
}

TEST(Load, Reads_units_in_any_case) {
  const std::pair<std::string_view, std::string_view> units[] = {
      {"second", "5/s"}, {"MINUTE", "5/min"}, {"Hour", "5/h"},   {"day", "5/d"},
      {"week", "5/w"},   {"month", "5/30d"},  {"year", "5/365d"}};
  for (const auto& [unit, limit] : units)
    EXPECT_EQ(limit_of_rule("requests_per_unit: 5, unit: " + std::string{unit}), limit);
}

TEST(Load, Reads_the_one_grammar) {
  EXPECT_EQ(limit_of_rule("limit: 5/60s"), "5/min");
  EXPECT_EQ(limit_of_rule("limit: 5/60s burst 20"), "5/min burst 20");
  EXPECT_EQ(limit_of_rule("limit: '5/60s algorithm fixed_window'"), "5/min algorithm fixed_window");
}

TEST(Load, Reads_options_beside_unit_and_count) {
  const std::string base = "unit: minute, requests_per_unit: 5, ";
  EXPECT_EQ(limit_of_rule(base + "algorithm: fixed_window"), "5/min algorithm fixed_window");
  EXPECT_EQ(limit_of_rule(base + "algorithm: GCRA"), "5/min burst 5");
  EXPECT_EQ(limit_of_rule(base + "burst: 20"), "5/min burst 20");
  EXPECT_EQ(limit_of_rule(base + "refill: interval"), "5/min burst 5 refill interval");
  EXPECT_EQ(limit_of_rule(base + "precision: 3"), "5/min precision 3");
  EXPECT_EQ(limit_of_rule("period: 90s, requests_per_unit: 5"), "5/90s");
  EXPECT_EQ(limit_of_rule(base + "on_store_error: deny, name: five"), "5/min");
}

TEST(Load, Uses_the_default_algorithm_where_none_is_named) {
  const rules::LoadOptions fixed{.default_algorithm = Algorithm::kFixedWindow};
  const std::string base = "unit: minute, requests_per_unit: 5";
  EXPECT_EQ(limit_of_rule(base, fixed), "5/min algorithm fixed_window");
  EXPECT_EQ(limit_of_rule("limit: 5/min", fixed), "5/min algorithm fixed_window");
  EXPECT_EQ(limit_of_rule("limit: 5/min algorithm sliding_window", fixed), "5/min");
  EXPECT_EQ(limit_of_rule("limit: 5/min burst 9", fixed), "5/min burst 9");
  EXPECT_EQ(limit_of_rule("limit: 5/min precision 9", fixed), "5/min precision 9");
  EXPECT_EQ(limit_of_rule(base + ", burst: 9", fixed), "5/min burst 9");
  EXPECT_EQ(limit_of_rule(base + ", precision: 9", fixed), "5/min precision 9");
  EXPECT_EQ(limit_of_rule(base + ", algorithm: sliding_window", fixed), "5/min");
}

TEST(Load, Keeps_zero_and_the_largest_count) {
  EXPECT_EQ(limit_of_rule("unit: day, requests_per_unit: 0"), "0/d");
  EXPECT_EQ(limit_of_rule("unit: day, requests_per_unit: 4294967295"), "4294967295/d");
}

TEST(Load, Reads_what_an_xds_server_dumps) {
  Rules rules{R"(
name: listener
domain: listener
descriptors:
  - key: route
    value: route
    rate_limit: null
    descriptors:
      - key: masked_remote_address
        value: 0.0.0.0/0
        rate_limit:
          requests_per_unit: 5
          unit: SECOND
          unlimited: false
          name: ""
          replaces: []
        descriptors: []
        shadow_mode: true
        quota_mode: false
        detailed_metric: false
        value_to_metric: false
        share_threshold: false
      - key: free
        value: ""
        rate_limit: {requests_per_unit: 0, unit: UNKNOWN, unlimited: true, name: "", replaces: []}
    shadow_mode: false
    share_threshold: false
)"};
  EXPECT_EQ(rules.ask("route=route, masked_remote_address=0.0.0.0/0"),
            "listener|route=route|masked_remote_address=0.0.0.0/0 5/s");
  EXPECT_EQ(rules.ask("route=route, free=1"), "unlimited");
  EXPECT_EQ(joined(rules.warnings), "");
}

TEST(Load, Reads_files_inside_of_a_config_map) {
  Rules rules{R"(
apiVersion: v1
kind: ConfigMap
metadata: {name: limits}
data:
  README: not a rule file
  limits.yaml: |
    domain: api
    descriptors:
      - key: user
        rate_limit: {limit: 5/60s}
  more.yml: "{domain: web, descriptors: [{key: path}]}"
)"};
  EXPECT_EQ(rules.ask("user=42"), "api|user=42 5/min");
  EXPECT_EQ(rules.set().domains()[0].rules[0].place, "rules.yaml:10:9");
  EXPECT_EQ(rules.set().domains()[1].rules[0].place, "rules.yaml:12:13, more.yml:1:29");
}

TEST(Load, Reads_an_alias_as_what_it_stands_for) {
  Rules rules{R"(
domain: d
descriptors:
  - {key: a, rate_limit: &five {unit: minute, requests_per_unit: 5}}
  - {key: b, rate_limit: *five}
)"};
  EXPECT_EQ(rules.ask("b=1"), "d|b=1 5/min");
}

TEST(Load, Takes_scalars_of_any_look_for_values) {
  Rules rules{R"(
domain: 7
descriptors:
  - {key: status, value: 404, rate_limit: {limit: 1/min}}
  - {key: beta, value: true, rate_limit: {limit: 2/min}}
  - {key: any, value: ~, rate_limit: {limit: 3/min}}
)"};
  EXPECT_EQ(rules.ask("status=404"), "7|status=404 1/min");
  EXPECT_EQ(rules.ask("beta=true"), "7|beta=true 2/min");
  EXPECT_EQ(rules.ask("any=x"), "7|any=x 3/min");
}

TEST(Load, Keeps_metadata_as_it_stands) {
  const Rules rules{"domain: d\ndescriptors: [{key: k, metadata: {tier: {name: gold}}}]\n"};
  const rules::Rule& rule = rules.set().domains()[0].rules[0];
  EXPECT_EQ(rule.metadata.find("tier")->find("name")->text, "gold");
}

TEST(Load, Joins_what_files_and_documents_say_of_one_domain) {
  const rules::Source sources[] = {
      {"a.yaml", "domain: d\ndescriptors: [{key: a}]\n---\ndomain: e\ndescriptors: [{key: x}]\n"},
      {"b.yaml", "domain: d\ndescriptors: [{key: b}]\n"}};
  const rules::Loaded loaded = rules::load(sources, {});
  ASSERT_NE(loaded.rules, nullptr) << joined(loaded.errors);
  ASSERT_EQ(loaded.rules->domains().size(), 2U);
  EXPECT_EQ(loaded.rules->find("d")->rules.size(), 2U);
  EXPECT_EQ(loaded.rules->find("d")->rules[1].place, "b.yaml:2:15");
  EXPECT_EQ(loaded.rules->find("none"), nullptr);
}

// A folder of its own, gone with the test.
class Folder {
 public:
  Folder() : path_{fs::temp_directory_path() / ("rules_test." + std::to_string(::getpid()))} {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, std::string_view text) const {
    std::ofstream{path_ / name} << text;
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

TEST(Load, Reads_a_directory_in_the_order_of_names) {
  const Folder folder;
  const std::string paths[] = {folder.path().string()};
  EXPECT_EQ(joined(rules::load_files(paths, {}).errors),
            paths[0] + ": expected *.yaml files in this directory, found none\n");
  folder.write("b.yaml", "domain: d\ndescriptors: [{key: b}]\n");
  folder.write("a.yml", "domain: d\ndescriptors: [{key: a}]\n");
  folder.write(".c.yaml", "not yaml: [");
  folder.write("d.yaml~", "not yaml: [");
  folder.write("readme.txt", "not yaml: [");
  fs::create_directory(folder.path() / "e.yaml");
  fs::create_directory_symlink("elsewhere", folder.path() / "..data");
  const rules::Loaded loaded = rules::load_files(paths, {});
  ASSERT_NE(loaded.rules, nullptr) << joined(loaded.errors);
  const auto& found = loaded.rules->find("d")->rules;
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].key, "a");
  EXPECT_EQ(found[1].key, "b");
}

TEST(Load, Refuses_a_file_of_twenty_megabytes) {
  const Folder folder;
  folder.write("large.yaml", std::string(20U << 20, '#'));
  const std::string paths[] = {(folder.path() / "large.yaml").string()};
  EXPECT_EQ(joined(rules::load_files(paths, {}).errors),
            paths[0] + ": longer than 8388608 bytes\n");
}

std::string warnings_of(std::string_view text) {
  return joined(load_text(text).warnings);
}

TEST(Load, Warns_of_what_changes_nothing) {
  EXPECT_NE(
      warnings_of("domain: d\ndescriptors: [{key: k, detailed_metric: true}]\n").find("by rule"),
      std::string::npos);
  EXPECT_NE(warnings_of("domain: d\ndescriptors: [{key: 'a*'}]\n").find("stands for itself"),
            std::string::npos);
  EXPECT_NE(warnings_of("domain: d\ndescriptors: [{key: k, shadow_mode: true}]\n")
                .find("changes nothing"),
            std::string::npos);
  EXPECT_EQ(warnings_of(with_limit("limit: 5/60s, replaces: [{name: other}]")),
            "rules.yaml:2:15: replaces \"other\", but no rule of this domain has that name\n");
  EXPECT_EQ(warnings_of(with_limit("limit: 5/60s")), "");
}

std::string surprises_of(std::string_view text, Cost cost = 1) {
  const rules::Loaded loaded = load_text(text);
  EXPECT_NE(loaded.rules, nullptr) << joined(loaded.errors);
  return loaded.rules == nullptr ? "" : joined(rules::surprises(*loaded.rules, cost));
}

TEST(Surprises, Are_told_of_limits_that_admit_twice_or_nothing_or_take_memory) {
  EXPECT_EQ(surprises_of(with_limit("limit: 5/60s")), "");
  EXPECT_EQ(surprises_of(with_limit("limit: 0/60s")), "");
  EXPECT_EQ(surprises_of(with_limit("limit: 5/60s algorithm fixed_window")),
            "rules.yaml:2:15: 5/min algorithm fixed_window admits up to 10 within one period, half "
            "of them on each side of a window's edge\n");
  EXPECT_EQ(surprises_of(with_limit("limit: 5/60s burst 0")),
            "rules.yaml:2:15: 5/min burst 0 denies every take of cost 1: at most 0 can be taken at "
            "once\n");
  EXPECT_NE(surprises_of(with_limit("limit: 5/60s"), 6).find("denies every take of cost 6"),
            std::string::npos);
  EXPECT_EQ(surprises_of(with_limit("limit: 1000/60s")),
            "rules.yaml:2:15: 1000/min takes up to 8048 bytes a key, which a lower precision or "
            "sliding_window_counter spares\n");
}

TEST(Surprises, Are_told_of_patterns_that_are_never_met) {
  EXPECT_EQ(
      surprises_of("domain: d\ndescriptors:\n  - {key: k, value: '*'}\n"
                   "  - {key: k, value: 'a*'}\n  - {key: j, value: 'a*'}\n"),
      "rules.yaml:4:5: \"a*\" is never met: \"*\" at rules.yaml:3:5 matches all of it first\n");
  EXPECT_EQ(surprises_of("domain: d\ndescriptors:\n  - {key: k, value: 'a*'}\n"
                         "  - {key: k, value: '*'}\n"),
            "");
}

}  // namespace
}  // namespace tidegate::test
