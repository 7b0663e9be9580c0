// `tidegate validate` and `tidegate explain` inside this process: what they say and their exit
// codes.
#include "tidegate/cli/validate.h"

#include <gtest/gtest.h>

#include "tests/cli/in_process.h"
#include "tidegate/cli/explain.h"

namespace tidegate::test {
namespace {

Ended run_rules(std::vector<std::string> words) {
  const MemoryFile in;
  const MemoryFile out;
  const MemoryFile err;
  cli::ValidateCommand validate;
  cli::ExplainCommand explain;
  cli::Io io{in.fd(), out.fd(), err.fd()};
  const cli::CommandLine line{.version = "1.2.3", .commands = {&validate, &explain}};
  const int code = cli::run(line, std::move(words), io);
  return {code, out.bytes(), err.bytes()};
}

// A file that is read by a path, without a name in any folder.
class RuleFile {
 public:
  explicit RuleFile(std::string_view text) : file_{text} {}
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_.fd()); }

 private:
  MemoryFile file_;
};

constexpr std::string_view kRules = R"(domain: api
descriptors:
  - key: user
    rate_limit: {limit: 5/60s}
  - key: user
    value: "42"
    shadow_mode: true
    rate_limit: {limit: 100/h burst 20, name: friend}
    descriptors:
      - key: path
        value: /a b*
        share_threshold: true
        rate_limit: {unlimited: true}
  - key: user
    value: "4*"
)";

TEST(Validate, Prints_the_tree_of_rules) {
  const RuleFile file{kRules};
  const Ended ended = run_rules({"validate", file.path()});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.out,
            "domain api\n"
            "  user            5/min           88 bytes a key at worst\n"
            "  user=42         100/h burst 20  shadow, named \"friend\", 48 bytes a key at worst\n"
            "    \"path=/a b*\"  unlimited       one for all values\n"
            "  user=4*         no limit\n");
}

TEST(Validate, Says_every_mistake_and_ends_with_one) {
  const RuleFile file{"domain: api\ndescriptors:\n  - kee: user\n  - key: a\n    value: [b]\n"};
  const Ended ended = run_rules({"validate", file.path()});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err, file.path() + ":3:5: unknown key \"kee\"; did you mean key?\n" +
                           file.path() + ":5:12: expected a text, found a list\n");
}

TEST(Validate, Warns_without_another_exit_code) {
  const RuleFile file{"domain: d\ndescriptors: [{key: k, rate_limit: {limit: 5/60s burst 3}}]\n"};
  EXPECT_EQ(run_rules({"validate", file.path()}).err, "");
  const Ended ended = run_rules({"validate", file.path(), "--cost", "4"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.err,
            file.path() +
                ":2:15: warning: 5/min burst 3 denies every take of cost 4: at most 3 can "
                "be taken at once\n");
}

TEST(Validate, Prints_one_json_object) {
  const RuleFile good{"domain: d\ndescriptors: [{key: k, rate_limit: {limit: 5/60s}}]\n"};
  EXPECT_EQ(
      run_rules({"validate", "--json", good.path()}).out,
      R"({"valid":true,"errors":[],"warnings":[],"domains":[{"domain":"d","rules":[{"rule":"d|k",)"
      R"("where":")" +
          good.path() +
          R"(:2:15","limit":"5/min","algorithm":"sliding_window","worst_bytes":88,"rules":[]}]}]})"
          "\n");
  const RuleFile bad{"domain: d\nx: y\n"};
  const Ended ended = run_rules({"validate", "--json", bad.path()});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.out,
            R"({"valid":false,"errors":[{"where":")" + bad.path() +
                R"(:2:1","what":"unknown key \"x\"; expected one of domain, descriptors, )"
                R"(name"}],"warnings":[],"domains":[]})"
                "\n");
}

TEST(Validate, Takes_the_default_algorithm_and_whose_it_is) {
  const RuleFile file{"domain: d\ndescriptors: [{key: k, rate_limit: {limit: 5/60s}}]\n"};
  const auto tree = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"validate", file.path()});
    return run_rules(std::move(more)).out;
  };
  EXPECT_NE(tree({"--compat", "envoy"}).find("5/min algorithm fixed_window"), std::string::npos);
  EXPECT_NE(tree({"--default-algorithm", "token_bucket"}).find("5/min burst 5"), std::string::npos);
  EXPECT_EQ(run_rules({"validate", file.path(), "--compat", "nginx"}).err,
            "tidegate validate: --compat \"nginx\": expected envoy\n");
}

TEST(Validate, Ends_with_two_on_bad_usage) {
  const Ended none = run_rules({"validate"});
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.err, "tidegate validate: FILE: missing; expected one or more rule files\n");
  EXPECT_EQ(run_rules({"validate", "x", "--default-algorithm", "magic"}).code, 2);
  EXPECT_EQ(run_rules({"validate", "x", "--cost", "many"}).code, 2);
}

TEST(Validate, Accepts_the_examples) {
  const std::string folder = std::string{TIDEGATE_SOURCE_DIR} + "/examples/rules";
  for (const char* file : {"/quickstart.yaml", "/tiers.yaml", "/envoy.yaml", "/uploads.yaml"}) {
    const Ended ended = run_rules({"validate", folder + file});
    EXPECT_EQ(ended.code, 0) << file;
    EXPECT_EQ(ended.err, "") << file;
  }
}

TEST(Explain, Follows_the_entries_and_says_why) {
  const RuleFile file{kRules};
  const Ended ended = run_rules({"explain", file.path(), "api user=42 path=/x ; user=4 ; User=1"});
  EXPECT_EQ(ended.code, 0);
  const std::string place = "  (" + file.path();
  EXPECT_EQ(
      ended.out,
      "descriptor 1\n"
      "  user=42\n"
      "       api|user: would do, but a rule with a value comes first" +
          place +
          ":3:5)\n"
          "    -> api|user=42: met, 100/h burst 20" +
          place +
          ":5:5)\n"
          "       api|user=4*: would do, but a rule with just this value comes first" +
          place +
          ":14:5)\n"
          "  path=/x: no rule\n"
          "       \"api|user=42|path=/a b*\": has a pattern that does not match" +
          place +
          ":10:9)\n"
          "  meets no limit: entry 2 of 2 meets no rule; limits count at the last entry alone\n"
          "descriptor 2\n"
          "  user=4\n"
          "       api|user: would do, but a rule with a value comes first" +
          place +
          ":3:5)\n"
          "       api|user=42: has another value" +
          place +
          ":5:5)\n"
          "    -> api|user=4*: met, no limit" +
          place +
          ":14:5)\n"
          "  meets no limit: the rule that it meets has none\n"
          "descriptor 3\n"
          "  User=1: no rule\n"
          "       api|user: has another key: in other letters, large and small" +
          place +
          ":3:5)\n"
          "       api|user=42: has another key: in other letters, large and small" +
          place +
          ":5:5)\n"
          "       api|user=4*: has another key: in other letters, large and small" +
          place +
          ":14:5)\n"
          "  meets no limit: entry 1 of 1 meets no rule; limits count at the last entry alone\n");
}

TEST(Explain, Takes_words_as_they_are_when_there_are_several) {
  const RuleFile file{kRules};
  const Ended ended = run_rules({"explain", file.path(), "api", "user=a b"});
  EXPECT_NE(ended.out.find("  takes from \"api|user=a b\" under 5/min\n"), std::string::npos)
      << ended.out;
}

TEST(Explain, Names_the_domains_that_there_are) {
  const RuleFile file{kRules};
  EXPECT_EQ(run_rules({"explain", file.path(), "web user=42"}).out,
            "no domain \"web\", so nothing limits this; there is \"api\"\n");
}

TEST(Explain, Ends_with_two_on_error) {
  const RuleFile file{kRules};
  const RuleFile bad{"domain: ''\n"};
  EXPECT_EQ(run_rules({"explain"}).code, 2);
  EXPECT_EQ(run_rules({"explain", file.path()}).code, 2);
  EXPECT_EQ(run_rules({"explain", file.path(), "api user"}).err,
            "tidegate explain: \"user\": expected key=value\n");
  EXPECT_EQ(run_rules({"explain", bad.path(), "api user=42"}).err,
            "tidegate explain: " + bad.path() + ":1:9: expected a domain, as in domain: api\n");
}

}  // namespace
}  // namespace tidegate::test
