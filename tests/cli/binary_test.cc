// The binary itself: its streams, its clock, its exit codes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/cli/child.h"

namespace tidegate::test {
namespace {

using namespace std::literals;

std::vector<std::string> first_words(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream{text};
  for (std::string line; std::getline(stream, line);)
    words.push_back(line.substr(0, line.find(' ')));
  return words;
}

TEST(Binary, Allows_five_of_fifteen) {
  for (const char* every : {"1ms", "0"}) {
    const Ended ended =
        run_binary({"take", "liziba:view", "5/60s", "--repeat", "15", "--every", every});
    std::vector<std::string> expected(5, "allowed");
    expected.resize(15, "denied");
    EXPECT_EQ(first_words(ended.out), expected) << ended.out;
    EXPECT_EQ(ended.err, "");
    EXPECT_EQ(ended.code, 1);
  }
}

TEST(Binary, Ends_with_0_1_or_2) {
  EXPECT_EQ(run_binary({"take", "k", "5/60s"}).code, 0);
  EXPECT_EQ(run_binary({"take", "k", "5/60s", "--repeat", "6"}).code, 1);
  EXPECT_EQ(run_binary({"take", "k", "5/6x"}).code, 2);
  EXPECT_EQ(run_binary({"take", "k", "5/60s", "--no-such-option"}).code, 2);
  EXPECT_EQ(run_binary({"take", "k", "5/60s", "--cost"}).code, 2);
  EXPECT_EQ(run_binary({"no-such-command"}).code, 2);
  EXPECT_EQ(run_binary({}).code, 2);
}

TEST(Binary, Speaks_of_errors_on_stderr_alone) {
  const Ended ended = run_binary({"take", "k", "5/6x"});
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err.rfind("tidegate take: limit \"5/6x\", column 4: expected a unit", 0), 0u)
      << ended.err;
}

TEST(Binary, Helps_on_stdout) {
  for (const auto& words : {std::vector<std::string>{"--help"}, {"take", "--help"}}) {
    const Ended ended = run_binary(words);
    EXPECT_EQ(ended.code, 0);
    EXPECT_EQ(ended.err, "");
    EXPECT_NE(ended.out.find("Examples:\n  tidegate take "), std::string::npos) << ended.out;
  }
}

TEST(Binary, Has_the_version_of_the_project) {
  std::ifstream file{TIDEGATE_SOURCE_DIR "/CMakeLists.txt"};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  std::smatch version;
  ASSERT_TRUE(std::regex_search(text, version, std::regex{"tidegate VERSION ([0-9.]+)"}));
  EXPECT_EQ(run_binary({"--version"}).out, "tidegate " + version[1].str() + "\n");
}

TEST(Binary, Waits_between_decisions) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(run_binary({"take", "k", "5/60s", "--repeat", "4", "--every", "10ms"}).code, 0);
  EXPECT_GE(std::chrono::steady_clock::now() - start, 30ms);
}

TEST(Binary, Admits_again_after_the_wait_it_told) {
  const Ended ended = run_binary({"take", "k", "1/20ms", "--repeat", "3", "--every", "20ms"});
  EXPECT_EQ(ended.out, "allowed remaining=0\nallowed remaining=0\nallowed remaining=0\n");
}

TEST(BinaryStdin, Answers_each_line_before_the_next) {
  Child child{{"take", "--stdin", "2/60s"}};
  for (const char* answer : {"allowed remaining=1", "allowed remaining=0"}) {
    child.write("a\n");
    EXPECT_EQ(child.read_line(), answer);
  }
  child.write("a\nb");
  EXPECT_EQ(child.read_line().substr(0, 19), "denied retry_after=");
  child.write("c\n");
  EXPECT_EQ(child.read_line(), "allowed remaining=1");
  child.write("bc");
  const Ended ended = child.finish();
  EXPECT_EQ(ended.out, "allowed remaining=0\n");
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.code, 1);
}

TEST(BinaryStdin, Reads_a_file_to_its_end) {
  std::string input;
  for (int i = 0; i < 200'000; ++i) input += std::to_string(i % 1000) + "\n";
  const MemoryFile file{input};
  const Ended ended = run_binary({"take", "--stdin", "10/h"}, file.fd());
  const std::vector<std::string> words = first_words(ended.out);
  EXPECT_EQ(words.size(), 200'000u);
  EXPECT_EQ(std::count(words.begin(), words.end(), "allowed"), 10'000);
  EXPECT_EQ(ended.code, 1);
}

TEST(BinaryStdin, Fails_at_the_end_when_a_line_was_too_long) {
  const MemoryFile file{"a\n" + std::string(70'000, 'k') + "\nb\n"};
  const Ended ended = run_binary({"take", "--stdin", "10/h"}, file.fd());
  EXPECT_EQ(ended.out, "allowed remaining=9\nallowed remaining=9\n");
  EXPECT_NE(ended.err.find("line 2: key: at most 65536 bytes, this one has 70000"),
            std::string::npos)
      << ended.err;
  EXPECT_EQ(ended.code, 2);
}

TEST(BinaryStdin, That_cannot_be_read_is_an_error) {
  const int folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const Ended ended = run_binary({"take", "--stdin", "10/h"}, folder);
  close(folder);
  EXPECT_EQ(ended.err, "tidegate take: standard input: Is a directory\n");
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(run_binary({"take", "--stdin", "10/h"}, kClosed).code, 2);
}

TEST(BinaryStdout, Ends_quietly_when_its_reader_leaves) {
  Child child{{"take", "k", "5/60s", "--repeat", "1000000000"}};
  EXPECT_EQ(child.read_line(), "allowed remaining=4");
  child.close_output();
  const Ended ended = child.finish();
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.code, 1);
}

TEST(BinaryStdout, Ends_quietly_when_the_reader_of_its_answers_leaves) {
  Child child{{"take", "--stdin", "5/60s"}};
  child.write("a\n");
  EXPECT_EQ(child.read_line(), "allowed remaining=4");
  child.close_output();
  child.write("a\n");
  const Ended ended = child.finish();
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.code, 0);
}

TEST(BinaryStdout, That_cannot_be_written_is_an_error) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  const Ended ended = run_binary({"take", "k", "5/60s"}, kPipe, full);
  EXPECT_EQ(ended.err, "tidegate: standard output: No space left on device\n");
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(run_binary({"--help"}, kPipe, full).code, 2);
  close(full);
  EXPECT_EQ(run_binary({"take", "k", "5/60s"}, kPipe, kClosed).code, 2);
}

}  // namespace
}  // namespace tidegate::test
