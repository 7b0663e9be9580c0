#include "tests/house/texts.h"

#include <gtest/gtest.h>
#include <stdio.h>

#include <memory>

namespace tidegate::house {
namespace {

const std::string kMark = std::string{"TO"} + "DO";  // not spelled out: this file is looked at too

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe{popen(command.c_str(), "r"), pclose};
  std::string text;
  for (int c = fgetc(pipe.get()); c != EOF; c = fgetc(pipe.get())) text += static_cast<char>(c);
  return text;
}

std::vector<File> all_code() {
  return files_in({"tidegate", "tests", "fuzz", "bench", "examples", "tools"}, {".h", ".cc"});
}

TEST(Header, Opens_with_a_paragraph_and_pragma_once) {
  EXPECT_TRUE(header_findings({"a.h", "// What.\n//\n// Cost: none.\n#pragma once\n"}).empty());
  EXPECT_EQ(header_findings({"a.h", "#pragma once\n// What.\n"}).size(), 1u);
  EXPECT_EQ(header_findings({"a.h", "// What.\n#ifndef A\n#define A\n"}).size(), 1u);
  EXPECT_EQ(header_findings({"a.h", "// What.\n"}).size(), 1u);
  EXPECT_EQ(header_findings({"a.h", ""}).size(), 1u);
}

TEST(Leftovers, Are_found_as_whole_words) {
  EXPECT_EQ(leftover_findings({"a.cc", "int a;\n// " + kMark + "(me): b\n"}).size(), 1u);
  EXPECT_TRUE(leftover_findings({"a.cc", "int " + kMark + "_LIST;\n"}).empty());
}

TEST(Length, Is_at_most_seventy_lines) {
  const auto with_body_of = [](int lines) {
    std::string text = "void f() {\n";
    for (int i = 0; i < lines; ++i) text += "  g();\n";
    return File{"a.cc", text + "}\n"};
  };
  EXPECT_TRUE(length_findings(with_body_of(68)).empty());
  EXPECT_EQ(length_findings(with_body_of(69)),
            Findings{"a.cc:1: a function of 71 lines; divide it: 70 at most, 30 by habit"});
}

TEST(Goals, Are_rules_with_their_help) {
  EXPECT_EQ(goals_of(".PHONY: a\nA := 1\na: b ## does a\n\tcommand: x\nb-c:\n"),
            (std::vector<Goal>{{"a", "does a"}, {"b-c", ""}}));
}

TEST(Tree, Explains_each_header_on_top) {
  const std::vector<File> headers =
      files_in({"tidegate", "tests", "fuzz", "bench", "tools"}, {".h"});
  ASSERT_GT(headers.size(), 15u);
  for (const File& header : headers) {
    const Findings findings = header_findings(header);
    EXPECT_TRUE(findings.empty()) << joined(findings);
  }
}

TEST(Tree, Leaves_nothing_to_do) {
  for (const File& file :
       files_in({"tidegate", "tests", "fuzz", "bench", "examples", "tools", "cmake", "docs"},
                {".h", ".cc", ".sh", ".py", ".cmake", ".txt", ".md"})) {
    const Findings findings = leftover_findings(file);
    EXPECT_TRUE(findings.empty()) << joined(findings);
  }
}

TEST(Tree, Has_no_function_too_long_to_hold) {
  for (const File& file : all_code()) {
    const Findings findings = length_findings(file);
    EXPECT_TRUE(findings.empty()) << joined(findings);
  }
}

TEST(Makefile, Explains_every_goal_in_its_help) {
  const std::vector<Goal> goals = goals_of(read_file("Makefile"));
  ASSERT_GE(goals.size(), 10u);
  // Without what make itself puts in the environment of a goal.
  const std::string help = output_of(
      "env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory -C " TIDEGATE_SOURCE_DIR " help");
  for (const Goal& goal : goals) {
    EXPECT_FALSE(goal.help.empty()) << goal.name << ": say what it does behind ##";
    EXPECT_NE(help.find("make " + goal.name + " "), std::string::npos) << goal.name << "\n" << help;
  }
}

}  // namespace
}  // namespace tidegate::house
