// `tidegate take` inside this process, in virtual time: what it decides and how it says it.
#include "tidegate/cli/take.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "tests/cli/in_process.h"
#include "tests/support/random.h"

namespace tidegate::test {
namespace {

using namespace std::literals;

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream{text};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

const std::string kFiveAllowed =
    "allowed remaining=4\nallowed remaining=3\nallowed remaining=2\nallowed remaining=1\n"
    "allowed remaining=0\n";

TEST(Take, Decides_once_by_default) {
  Tool tool;
  const Ended ended = tool.run({"take", "liziba:view", "5/60s"});
  EXPECT_EQ(ended.out, "allowed remaining=4\n");
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.code, 0);
}

TEST(Take, Allows_five_of_fifteen_a_millisecond_apart) {
  Tool tool;
  const Ended ended =
      tool.run({"take", "liziba:view", "5/60s", "--repeat", "15", "--every", "1ms"});
  EXPECT_EQ(ended.out, kFiveAllowed + repeated("denied retry_after=60s\n", 10));
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.code, 1);
}

TEST(Take, Allows_five_of_fifteen_at_one_instant) {
  Tool tool;
  const Time before = tool.clock.now();
  const Ended ended = tool.run({"take", "liziba:view", "5/60s", "--repeat", "15", "--every", "0"});
  EXPECT_EQ(ended.out, kFiveAllowed + repeated("denied retry_after=60s\n", 10));
  EXPECT_EQ(tool.clock.now(), before);
}

TEST(Take, Says_how_long_to_wait_as_time_goes_by) {
  Tool tool;
  const Ended ended =
      tool.run({"take", "liziba:view", "2/10s", "--repeat", "6", "--every", "2500ms"});
  EXPECT_EQ(ended.out,
            "allowed remaining=1\nallowed remaining=0\ndenied retry_after=5s\n"
            "denied retry_after=2.5s\nallowed remaining=0\nallowed remaining=0\n");
}

TEST(Take, Waits_between_decisions_and_not_after_the_last) {
  Tool tool;
  const Time before = tool.clock.now();
  EXPECT_EQ(tool.run({"take", "k", "5/60s", "--repeat", "4", "--every", "3s"}).code, 0);
  EXPECT_EQ(tool.clock.now() - before, 9s);
}

TEST(Take, Charges_the_cost) {
  Tool tool;
  EXPECT_EQ(tool.run({"take", "k", "5/60s", "--cost", "3"}).out, "allowed remaining=2\n");
  const Ended denied = tool.run({"take", "k", "5/60s", "--cost", "3"});
  EXPECT_EQ(denied.out, "denied retry_after=60s\n");
  EXPECT_EQ(denied.code, 1);
}

TEST(Take, Of_cost_0_looks_only) {
  Tool tool;
  EXPECT_EQ(tool.run({"take", "k", "5/60s", "--cost", "0", "--repeat", "3"}).out,
            repeated("allowed remaining=5\n", 3));
  EXPECT_EQ(tool.run({"take", "k", "5/60s"}).out, "allowed remaining=4\n");
}

TEST(Take, That_can_never_fit_is_denied_for_ever) {
  Tool tool;
  EXPECT_EQ(tool.run({"take", "k", "5/60s", "--cost", "6"}).out, "denied retry_after=never\n");
  EXPECT_EQ(tool.run({"take", "k", "0/s"}).code, 1);
}

TEST(Take, Obeys_whichever_algorithm_the_limit_names) {
  Tool tool;
  EXPECT_EQ(tool.run({"take", "k", "1/10s burst 3", "--repeat", "4"}).out,
            "allowed remaining=2\nallowed remaining=1\nallowed remaining=0\n"
            "denied retry_after=10s\n");
  tool.clock.set(Time{61s});
  EXPECT_EQ(tool.run({"take", "k", "1/min algorithm fixed_window", "--repeat", "2"}).out,
            "allowed remaining=0\ndenied retry_after=59s\n");
}

TEST(Take, Of_several_is_all_or_nothing_and_names_the_one_that_bound) {
  Tool tool;
  const Ended ended = tool.run({"take", "user:1", "5/60s", "--and", "tenant:1", "2/3s", "--and",
                                "all", "100/s", "--repeat", "3"});
  EXPECT_EQ(ended.out,
            "allowed remaining=1 key=tenant:1\nallowed remaining=0 key=tenant:1\n"
            "denied retry_after=3s key=tenant:1\n");
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(tool.run({"take", "user:1", "5/60s", "--cost", "0"}).out, "allowed remaining=3\n");
}

TEST(Take, Of_several_charges_the_cost_to_each) {
  Tool tool;
  EXPECT_EQ(tool.run({"take", "a", "5/s", "--and", "b", "6/s", "--cost", "2"}).code, 0);
  EXPECT_EQ(tool.run({"take", "a", "5/s", "--cost", "0"}).out, "allowed remaining=3\n");
  EXPECT_EQ(tool.run({"take", "b", "6/s", "--cost", "0"}).out, "allowed remaining=4\n");
}

TEST(Take, Prints_json_on_request) {
  Tool tool;
  EXPECT_EQ(tool.run({"take", "user:42", "1/min", "--repeat", "2", "--every", "1s", "--json"}).out,
            R"({"allowed":true,"limit":"1/min","key":"user:42","remaining":0,"retry_after_us":0,)"
            R"("reset_after_us":60000000,"at_us":1700000000000000})"
            "\n"
            R"({"allowed":false,"limit":"1/min","key":"user:42","remaining":0,)"
            R"("retry_after_us":59000000,"reset_after_us":59000000,"at_us":1700000001000000})"
            "\n");
}

TEST(Take, Prints_json_of_several) {
  Tool tool;
  const std::string a =
      R"("allowed":true,"limit":"5/s","key":"a","remaining":4,"retry_after_us":0,)"
      R"("reset_after_us":1000000,"at_us":1700000000000000)";
  const std::string b =
      R"("allowed":true,"limit":"3/s","key":"b","remaining":2,"retry_after_us":0,)"
      R"("reset_after_us":1000000,"at_us":1700000000000000)";
  EXPECT_EQ(tool.run({"take", "a", "5/s", "--and", "b", "3/s", "--json"}).out,
            "{" + b + R"(,"binding":1,"takes":[{)" + a + "},{" + b + "}]}\n");
}

// Words that parsers of arguments like to take for something else.
TEST(Take, Takes_any_key_as_it_is) {
  for (const char* key : {"", " ", "[a,b]", "[]", "{}", "%%", "++", "-", "-5", "take", "/k", "a=b",
                          "a,b", "'a'", "#", "@file"}) {
    Tool tool;
    const std::string quoted = "\"" + std::string{key} + "\"";
    const Ended first = tool.run({"take", key, "5/60s", "--json"});
    EXPECT_NE(first.out.find("\"key\":" + quoted + ","), std::string::npos) << first.err;
    const Ended second = tool.run({"take", "other", "9/s", "--and", key, "5/60s", "--json"});
    EXPECT_NE(second.out.find("\"key\":" + quoted + ",\"remaining\":3"), std::string::npos)
        << second.err << second.out;
  }
}

TEST(Take, Takes_a_key_with_a_dash_behind_two) {
  Tool tool;
  EXPECT_EQ(tool.run({"take", "--json", "--", "--and", "5/60s"}).code, 0);
  EXPECT_EQ(tool.run({"take", "--", "--and", "5/60s"}).out, "allowed remaining=3\n");
}

TEST(Take, Refuses_what_it_does_not_understand_and_says_what_would_do) {
  const struct {
    std::vector<std::string> words;
    const char* message;
  } kTable[] = {
      {{}, "tidegate: expected a command (take), --help or --version"},
      {{"tkae"}, "tidegate: \"tkae\": expected a command (take), --help or --version"},
      {{"take"}, "tidegate take: KEY and LIMIT: missing; expected KEY LIMIT"},
      {{"take", "k"}, "tidegate take: LIMIT: missing; expected KEY LIMIT"},
      {{"take", "k", "5/6x"}, "tidegate take: limit \"5/6x\", column 4: expected a unit"},
      {{"take", "k", "five"}, "tidegate take: limit \"five\", column 1: expected a number"},
      {{"take", "k", "5/s", "--and", "l", "5"}, "tidegate take: limit \"5\", column 2: expected"},
      {{"take", "k", "5/s", "--and", "l"}, "tidegate take: --and: 2 required KEY LIMIT missing"},
      {{"take", "k", "5/s", "more"},
       "tidegate take: The following argument was not expected: more"},
      {{"take", "k", "5/s", "--some"},
       "tidegate take: The following argument was not expected: --some; see tidegate take --help"},
      {{"take", "k", "5/s", "--cost"}, "tidegate take: --cost: 1 required N missing"},
      {{"take", "k", "5/s", "--cost", "-1"},
       "tidegate take: --cost \"-1\": expected a whole number"},
      {{"take", "k", "5/s", "--cost", "4503599627370497"},
       "tidegate take: --cost \"4503599627370497\": expected a whole number, 0 to "
       "4503599627370496"},
      {{"take", "k", "5/s", "--repeat", "0"},
       "tidegate take: --repeat \"0\": expected a whole number, 1 to 1000000000"},
      {{"take", "k", "5/s", "--repeat", "1000000001"},
       "tidegate take: --repeat \"1000000001\": expected a whole number, 1 to 1000000000"},
      {{"take", "k", "5/s", "--every", "10"},
       "tidegate take: --every \"10\", column 3: expected a unit"},
      {{"take", "k", "5/s", "--cost", "1", "--cost", "2"}, "tidegate take: --cost: "},
      {{"take", "k", "5/s", "--and", "k", "6/s"},
       "tidegate take: key \"k\": two limits in one request, 5/s and 6/s; give each"},
      {{"take", std::string(65537, 'k'), "5/s"}, "tidegate take: key \"kkk"},
      {{"take", "--stdin"}, "tidegate take: LIMIT: missing; expected one"},
      {{"take", "--stdin", "k", "5/s"},
       "tidegate take: --stdin: reads the keys, so expected LIMIT"},
      {{"take", "--stdin", "5/s", "--repeat", "2"}, "tidegate take: --repeat: does not go with"},
  };
  for (const auto& row : kTable) {
    Tool tool;
    const Ended ended = tool.run(row.words);
    EXPECT_EQ(ended.code, 2) << row.message;
    EXPECT_EQ(ended.out, "") << row.message;
    EXPECT_EQ(ended.err.rfind(row.message, 0), 0u) << ended.err << row.message;
    EXPECT_EQ(lines_of(ended.err).size(), 1u) << ended.err;
  }
}

TEST(Take, Refuses_more_takes_than_a_request_holds) {
  Tool tool;
  std::vector<std::string> words{"take", "k", "5/s"};
  for (int i = 1; i < 128; ++i) words.insert(words.end(), {"--and", std::to_string(i), "9/s"});
  EXPECT_EQ(tool.run(words).out, "allowed remaining=4 key=k\n");
  words.insert(words.end(), {"--and", "128", "9/s"});
  const Ended ended = tool.run(words);
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err, "tidegate take: request: expected 1 to 128 takes, got 129\n");
}

TEST(TakeFromStdin, Decides_a_key_a_line) {
  Tool tool;
  const Ended ended = tool.run({"take", "--stdin", "2/60s"}, "a\nb\na\na\nb");
  EXPECT_EQ(ended.out,
            "allowed remaining=1\nallowed remaining=1\nallowed remaining=0\n"
            "denied retry_after=60s\nallowed remaining=0\n");
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.code, 1);
}

TEST(TakeFromStdin, Of_nothing_is_nothing) {
  Tool tool;
  const Ended ended = tool.run({"take", "--stdin", "2/60s"}, "");
  EXPECT_EQ(ended.out + ended.err, "");
  EXPECT_EQ(ended.code, 0);
}

TEST(TakeFromStdin, Takes_all_bytes_but_the_newline_for_the_key) {
  Tool tool;
  const Ended ended =
      tool.run({"take", "--stdin", "2/60s"}, "\n\na\na\r\na \na\0b\na\0c\n\xff\n"sv);
  EXPECT_EQ(ended.out,
            "allowed remaining=1\nallowed remaining=0\n" + repeated("allowed remaining=1\n", 6));
}

TEST(TakeFromStdin, Shows_each_key_in_json) {
  Tool tool;
  const Ended ended = tool.run({"take", "--stdin", "2/60s", "--json"}, "a\n\"\xff\n");
  ASSERT_EQ(lines_of(ended.out).size(), 2u);
  EXPECT_NE(lines_of(ended.out)[0].find(R"("key":"a",)"), std::string::npos);
  EXPECT_NE(lines_of(ended.out)[1].find(R"("key":"\"\u00ff",)"), std::string::npos);
}

TEST(TakeFromStdin, Goes_on_after_a_line_too_long_and_fails_at_the_end) {
  Tool tool;
  const std::string longest(65536, 'k');
  const Ended ended =
      tool.run({"take", "--stdin", "2/60s"}, "a\n" + longest + "\n" + longest + "k\na\n" + longest);
  EXPECT_EQ(ended.out,
            "allowed remaining=1\nallowed remaining=1\nallowed remaining=0\nallowed remaining=0\n");
  EXPECT_EQ(
      ended.err,
      "tidegate take: standard input, line 3: key: at most 65536 bytes, this one has 65537\n");
  EXPECT_EQ(ended.code, 2);
}

TEST(TakeFromStdin, Takes_each_line_together_with_the_other_takes) {
  Tool tool;
  const Ended ended =
      tool.run({"take", "--stdin", "2/60s", "--and", "all", "3/60s"}, "a\na\na\nb\nb\n");
  EXPECT_EQ(ended.out,
            "allowed remaining=1 key=a\nallowed remaining=0 key=a\ndenied retry_after=60s key=a\n"
            "allowed remaining=0 key=all\ndenied retry_after=60s key=all\n");
}

TEST(TakeFromStdin, Names_the_line_whose_request_contradicts_itself_and_goes_on) {
  Tool tool;
  const Ended ended = tool.run({"take", "--stdin", "2/s", "--and", "all", "3/s"}, "a\nall\nb\n");
  EXPECT_EQ(lines_of(ended.out).size(), 2u);
  EXPECT_EQ(ended.err.rfind("tidegate take: standard input, line 2: key \"all\": two limits", 0),
            0u)
      << ended.err;
  EXPECT_EQ(ended.code, 2);
}

TEST(TakeFromStdin, Waits_between_lines_and_charges_the_cost) {
  Tool tool;
  const Ended ended =
      tool.run({"take", "--stdin", "4/10s", "--every", "5s", "--cost", "2"}, "a\na\na\na\n");
  EXPECT_EQ(ended.out,
            "allowed remaining=2\nallowed remaining=0\nallowed remaining=0\n"
            "allowed remaining=0\n");
}

TEST(TakeFromStdin, Counts_as_a_naive_count_by_key_does) {
  for_each_trace(20, [](Random& random) {
    Tool tool;
    std::string input;
    std::map<std::int64_t, int> taken;
    std::string expected;
    for (int i = 0; i < 5000; ++i) {
      const std::int64_t key = random.log_between(0, 2000);
      input += std::to_string(key) + "\n";
      const int before = taken[key]++;
      expected += before < 10 ? "allowed remaining=" + std::to_string(9 - before) + "\n"
                              : "denied retry_after=60s\n";
    }
    EXPECT_EQ(tool.run({"take", "--stdin", "10/60s"}, input).out, expected);
  });
}

// Wakes its sleepers late, and tells when they went to sleep.
class LateClock final : public Clock {
 public:
  explicit LateClock(std::vector<Duration> late) : late_{std::move(late)} {}

  Time now() const override { return clock_.now(); }
  void sleep_until(Time when) const override {
    const std::size_t i = sleeps_++;
    clock_.set(when + (i < late_.size() ? late_[i] : 0us));
  }

 private:
  mutable ManualClock clock_{Time{}};
  std::vector<Duration> late_;
  mutable std::size_t sleeps_ = 0;
};

// When each of five decisions a second apart was made, in milliseconds.
std::vector<std::int64_t> times_with(std::vector<Duration> late) {
  const LateClock clock{std::move(late)};
  MemoryStore store{{}, clock};
  Limiter limiter{store, clock};
  const Ended ended =
      run_with(limiter, clock, {"take", "k", "9/h", "--repeat", "5", "--every", "1s", "--json"});
  std::vector<std::int64_t> times;
  for (const std::string& line : lines_of(ended.out))
    times.push_back(std::stoll(line.substr(line.find("\"at_us\":") + 8)) / 1000);
  return times;
}

TEST(TakeEvery, Counts_from_the_decision_before_however_late_that_was) {
  EXPECT_EQ(times_with({100ms, 0ms, 10s, 0ms}),
            (std::vector<std::int64_t>{0, 1100, 2100, 13100, 14100}));
}

// Each look at it is ten seconds after the one before.
class LeapingClock final : public Clock {
 public:
  Time now() const override { return Time{10s * ++looks_}; }
  void sleep_until(Time) const override { ADD_FAILURE() << "nobody needs to wait"; }

 private:
  mutable int looks_ = 0;
};

TEST(TakeEvery, Does_not_wait_when_input_came_later_than_that) {
  const LeapingClock clock;
  MemoryStore store{{}, clock};
  Limiter limiter{store, clock};
  const Ended ended = run_with(limiter, clock, {"take", "--stdin", "9/h", "--every", "1s"}, "a\na");
  EXPECT_EQ(ended.out, "allowed remaining=8\nallowed remaining=7\n");
}

// Looks at what was printed whenever somebody goes to sleep.
class WatchingClock final : public Clock {
 public:
  explicit WatchingClock(const MemoryFile& out) : out_{out} {}

  Time now() const override { return clock_.now(); }
  void sleep_until(Time when) const override {
    seen.push_back(out_.bytes());
    clock_.sleep_until(when);
  }

  mutable std::vector<std::string> seen;

 private:
  const ManualClock clock_;
  const MemoryFile& out_;
};

TEST(TakeEvery, Shows_each_answer_before_it_waits) {
  const MemoryFile out;
  const WatchingClock clock{out};
  MemoryStore store{{}, clock};
  Limiter limiter{store, clock};
  cli::TakeCommand take{limiter, clock};
  cli::Io io{-1, out.fd(), -1};
  cli::run({.version = "", .commands = {&take}},
           {"take", "k", "5/min", "--repeat", "3", "--every", "1s"}, io);
  EXPECT_EQ(clock.seen, (std::vector<std::string>{"allowed remaining=4\n",
                                                  "allowed remaining=4\nallowed remaining=3\n"}));
}

TEST(CommandLine, Prints_its_version_and_its_help) {
  Tool tool;
  EXPECT_EQ(tool.run({"--version"}).out, "tidegate 1.2.3\n");
  for (const char* flag : {"-h", "--help"}) {
    const Ended help = tool.run({flag});
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.out.find("\n  take "), std::string::npos);
    EXPECT_NE(help.out.find("\nExamples:\n"), std::string::npos);
  }
}

TEST(CommandLine, Helps_with_every_option_of_a_command) {
  Tool tool;
  for (const auto& words : {std::vector<std::string>{"take", "--help"}, {"take", "k", "x", "-h"}}) {
    const Ended help = tool.run(words);
    EXPECT_EQ(help.code, 0);
    EXPECT_EQ(help.err, "");
    for (const char* part :
         {"Usage: tidegate take KEY LIMIT", "tidegate take --stdin LIMIT", "\n  --and KEY LIMIT",
          "\n  --cost N", "\n  --repeat N", "\n  --every TIME", "\n  --stdin", "\n  --json",
          "Examples:", "Exit code: 0"})
      EXPECT_NE(help.out.find(part), std::string::npos) << part << help.out;
  }
}

// The examples of the help do what they say, but for the pipe and those that need a server.
TEST(CommandLine, Gives_examples_that_work) {
  Tool tool;
  const std::string help = tool.run({"take", "--help"}).out;
  int examples = 0;
  for (const std::string& line : lines_of(help)) {
    const bool remote = line.find("--server") != line.npos || line.find("--store") != line.npos;
    if (line.rfind("  tidegate take ", 0) != 0 || remote) continue;
    std::istringstream words{line.substr(11)};
    const std::vector<std::string> split{std::istream_iterator<std::string>{words}, {}};
    EXPECT_LT(tool.run(split).code, 2) << line;
    ++examples;
  }
  EXPECT_EQ(examples, 3);
}

}  // namespace
}  // namespace tidegate::test
