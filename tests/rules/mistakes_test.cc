// One file for each mistake, named for it, and what is said about it: mistakes/expected.txt.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "tests/rules/loaded.h"

namespace tidegate::test {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path{TIDEGATE_SOURCE_DIR} / "tests/rules/mistakes";

std::string bytes_of(const fs::path& path) {
  std::ifstream stream{path, std::ios::binary};
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// The lines of expected.txt by the file that each begins with.
std::map<std::string, std::string> expectations() {
  std::map<std::string, std::string> expected;
  std::istringstream lines{bytes_of(kFolder / "expected.txt")};
  for (std::string line; std::getline(lines, line);)
    expected[line.substr(0, line.find(':'))] += line + "\n";
  return expected;
}

TEST(Mistakes, Are_all_named_with_line_and_column) {
  std::map<std::string, std::string> expected = expectations();
  for (const fs::directory_entry& entry : fs::directory_iterator{kFolder}) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string name = entry.path().filename().string();
    const rules::Source source{name, bytes_of(entry.path())};
    const rules::Loaded loaded = rules::load({&source, 1}, {});
    EXPECT_EQ(joined(loaded.errors), expected[name]) << name;
    EXPECT_NE(joined(loaded.errors), "") << name;
    EXPECT_EQ(loaded.rules, nullptr) << name;
    expected.erase(name);
  }
  for (const auto& [name, errors] : expected) ADD_FAILURE() << "no such file: " << name;
}

TEST(Mistakes, Refuse_all_files_together) {
  const rules::Source sources[] = {{"good.yaml", "domain: a\ndescriptors: [{key: k}]\n"},
                                   {"bad.yaml", "domain: b\ndescriptors: [{kee: k}]\n"},
                                   {"worse.yaml", "domain: ''\n"}};
  const rules::Loaded loaded = rules::load(sources, {});
  EXPECT_EQ(loaded.rules, nullptr);
  EXPECT_EQ(joined(loaded.errors),
            "bad.yaml:2:16: unknown key \"kee\"; did you mean key?\n"
            "worse.yaml:1:9: expected a domain, as in domain: api\n");
}

TEST(Mistakes, Between_files_of_one_domain_name_both) {
  const rules::Source sources[] = {{"a.yaml", "domain: d\ndescriptors: [{key: k, value: v}]\n"},
                                   {"b.yaml", "domain: d\ndescriptors: [{key: k, value: v}]\n"}};
  EXPECT_EQ(joined(rules::load(sources, {}).errors),
            "b.yaml:2:15: key \"k\" with value \"v\" has a descriptor at a.yaml:2:15 already\n");
}

TEST(Mistakes, Of_empty_files_are_told) {
  for (const char* text : {"", "\n", "# nothing\n", "---\n---\n"})
    EXPECT_EQ(joined(load_text(text).errors),
              "rules.yaml: this file is empty; expected domain and descriptors\n")
        << text;
}

TEST(Mistakes, Are_a_bounded_number) {
  std::string text = "domain: d\ndescriptors:\n";
  for (int i = 0; i < 5000; ++i) text += "  - kee: k\n";
  EXPECT_EQ(load_text(text).errors.size(), 1000U);
}

TEST(Mistakes, Of_files_that_cannot_be_read_name_them) {
  const std::string missing[] = {"/nowhere/limits.yaml"};
  EXPECT_EQ(joined(rules::load_files(missing, {}).errors),
            "/nowhere/limits.yaml: No such file or directory\n");
}

}  // namespace
}  // namespace tidegate::test
