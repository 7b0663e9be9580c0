// A server with rules: how files change, what a reload keeps, what the metrics say of it.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/server/running.h"

namespace tidegate::server {
namespace {

namespace fs = std::filesystem;

using namespace std::chrono_literals;
using test::Flags;
using test::Running;

// Rules of one user's limit.
std::string rules(const std::string& limit) {
  return "domain: api\ndescriptors:\n  - key: user\n    rate_limit: {limit: " + limit + "}\n";
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream{path} << text;
}

class ServerRules : public testing::Test {
 protected:
  ServerRules() {
    std::string name = testing::TempDir() + "tidegate-rules-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~ServerRules() override { fs::remove_all(folder_); }

  void start(const fs::path& rules_at, Flags flags = {}) {
    flags["rules"] = rules_at;
    flags["http"] = "127.0.0.1:0";
    running_ = std::make_unique<Running>(std::move(flags));
  }

  std::string get(const std::string& path) const {
    return http("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  }
  std::string http(const std::string& request) const {
    const std::string answer = running_->say(request, 1);
    return answer.substr(std::min(answer.find("\r\n\r\n") + 4, answer.size()));
  }
  std::uint64_t metric(const std::string& series) const {
    const std::string page = get("/metrics");
    const std::size_t at = page.find("\n" + series + " ");
    if (at == std::string::npos) return ~std::uint64_t{0};
    return static_cast<std::uint64_t>(std::stod(page.substr(at + series.size() + 2)));
  }
  std::uint64_t used() const { return metric("tidegate_rule_loads_total{result=\"used\"}"); }
  std::uint64_t refused() const { return metric("tidegate_rule_loads_total{result=\"refused\"}"); }

  // Whether it comes true within ten seconds.
  static bool becomes_true(const std::function<bool()>& fact) {
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (!fact() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return fact();
  }
  bool comes_to_say(const std::string& limit) const {
    return becomes_true([&] { return get("/rlconfig").find(": " + limit) != std::string::npos; });
  }

  fs::path folder_;
  std::unique_ptr<Running> running_;
};

TEST_F(ServerRules, Decide_what_is_asked_over_every_protocol) {
  write(folder_ / "limits.yaml", rules("3/h"));
  start(folder_ / "limits.yaml");
  const std::string body =
      R"({"domain":"api","descriptors":[{"entries":[{"key":"user","value":"42"}]}]})";
  const std::string request =
      "POST /json HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\n\r\n" + body;
  EXPECT_NE(http(request).find("\"limitRemaining\":2"), std::string::npos);
  EXPECT_EQ(running_->say("RL.RULES api 1 1 user 42\r\n").substr(0, 16),
            "*7\r\n:1\r\n:3\r\n:1\r\n");
  EXPECT_NE(http(request).find("\"overallCode\":\"OK\""), std::string::npos);
  EXPECT_NE(http(request).find("\"overallCode\":\"OVER_LIMIT\""), std::string::npos);
  const std::string series = R"(tidegate_decisions_total{domain="api",rule="api|user",outcome=)";
  EXPECT_EQ(metric(series + R"("allowed",protocol="http"})"), 2U);
  EXPECT_EQ(metric(series + R"("denied",protocol="http"})"), 1U);
  EXPECT_EQ(metric(series + R"("allowed",protocol="resp"})"), 1U);
  EXPECT_EQ(get("/v1/top?most=1"),
            "{\"denied\":[{\"key\":\"api|user=42\",\"count\":1,\"error\":0}],"
            "\"taken\":[{\"key\":\"api|user=42\",\"count\":3,\"error\":0}]}\n");
}

TEST_F(ServerRules, With_mistakes_keep_a_server_from_starting_and_all_are_told) {
  write(folder_ / "a.yaml", "domain: a\ndescriptor: []\n");
  write(folder_ / "b.yaml", rules("5/minn"));
  ManualClock clock;
  test::Stream stream;
  Log log{LogLevel::kInfo, LogFormat::kText, clock, stream.file()};
  const auto settings =
      read_settings({.flags = {{"resp", "127.0.0.1:0"}, {"rules", folder_.string()}}});
  const auto started = Server::start(settings.value(), "1.2.3", clock, log);
  ASSERT_FALSE(started);
  const std::string message = started.error().message();
  EXPECT_NE(message.find("a.yaml:2:1: "), std::string::npos) << message;
  EXPECT_NE(message.find("\n" + (folder_ / "b.yaml").string() + ":4:27: "), std::string::npos)
      << message;
}

TEST_F(ServerRules, Are_loaded_when_a_file_is_written_in_place_or_replaced) {
  const fs::path path = folder_ / "limits.yaml";
  write(path, rules("3/h"));
  start(path);
  write(path, rules("4/h"));
  EXPECT_TRUE(comes_to_say("4/h"));
  write(folder_ / "limits.yaml.new", rules("5/h"));
  fs::rename(folder_ / "limits.yaml.new", path);
  EXPECT_TRUE(comes_to_say("5/h"));
  fs::remove(path);
  EXPECT_TRUE(becomes_true([&] { return refused() == 1; })) << "gone, which is told once";
  EXPECT_TRUE(comes_to_say("5/h")) << "what was in use still is";
  write(path, rules("6/h"));
  EXPECT_TRUE(comes_to_say("6/h"));
}

TEST_F(ServerRules, Are_loaded_when_kubernetes_swaps_a_volume) {
  fs::create_directory(folder_ / "..1");
  fs::create_directory(folder_ / "..2");
  write(folder_ / "..1" / "limits.yaml", rules("3/h"));
  write(folder_ / "..2" / "limits.yaml", rules("4/h"));
  fs::create_symlink("..1", folder_ / "..data");
  fs::create_symlink("..data/limits.yaml", folder_ / "limits.yaml");
  for (const fs::path& at : {folder_, folder_ / "limits.yaml"}) {
    start(at);
    ASSERT_TRUE(comes_to_say("3/h"));
    fs::create_symlink("..2", folder_ / "..data_tmp");
    fs::rename(folder_ / "..data_tmp", folder_ / "..data");
    EXPECT_TRUE(comes_to_say("4/h")) << at;
    fs::create_symlink("..1", folder_ / "..data_tmp");
    fs::rename(folder_ / "..data_tmp", folder_ / "..data");
    EXPECT_TRUE(comes_to_say("3/h")) << at;
  }
}

TEST_F(ServerRules, Are_loaded_when_a_link_above_leads_elsewhere) {
  for (const char* release : {"1", "2"}) fs::create_directories(folder_ / release / "config");
  write(folder_ / "1" / "config" / "limits.yaml", rules("3/h"));
  write(folder_ / "2" / "config" / "limits.yaml", rules("4/h"));
  fs::create_symlink("1", folder_ / "current");
  start(folder_ / "current" / "config");
  fs::create_symlink("2", folder_ / "next");
  fs::rename(folder_ / "next", folder_ / "current");
  EXPECT_TRUE(comes_to_say("4/h"));
  write(folder_ / "2" / "config" / "limits.yaml", rules("5/h"));
  EXPECT_TRUE(comes_to_say("5/h")) << "and there it is watched";
}

TEST_F(ServerRules, Are_loaded_when_their_folder_comes_back) {
  const fs::path inner = folder_ / "rules";
  fs::create_directory(inner);
  write(inner / "limits.yaml", rules("3/h"));
  start(inner);
  fs::remove_all(inner);
  EXPECT_TRUE(becomes_true([&] { return refused() >= 1; }));
  fs::create_directory(inner);
  write(inner / "limits.yaml", rules("4/h"));
  EXPECT_TRUE(comes_to_say("4/h"));
  write(inner / "more.yaml", "domain: more\ndescriptors: [{key: k, rate_limit: {limit: 9/h}}]\n");
  EXPECT_TRUE(comes_to_say("9/h"));
}

TEST_F(ServerRules, Are_not_loaded_for_what_editors_leave) {
  write(folder_ / "limits.yaml", rules("3/h"));
  start(folder_);
  for (const char* name :
       {".limits.yaml.swp", "limits.yaml~", "4913", "#limits.yaml#", ".#limits.yaml"})
    write(folder_ / name, "not: [rules");
  fs::last_write_time(folder_ / "limits.yaml", fs::file_time_type::clock::now());
  write(folder_ / "limits.yaml", rules("4/h"));
  EXPECT_TRUE(comes_to_say("4/h"));
  EXPECT_EQ(used(), 2U);
  EXPECT_EQ(refused(), 0U);
}

TEST_F(ServerRules, That_are_broken_leave_those_in_use_until_good_ones_come) {
  const fs::path path = folder_ / "limits.yaml";
  write(path, rules("3/h"));
  start(path);
  running_->say("RL.RULES api 1 1 user 42\r\n");
  write(path, rules("3/parsec"));
  EXPECT_TRUE(becomes_true([&] { return refused() == 1; }));
  EXPECT_EQ(running_->say("RL.RULES api 1 1 user 42\r\n").substr(0, 16),
            "*7\r\n:1\r\n:3\r\n:1\r\n");
  write(path, rules("4/h"));
  EXPECT_TRUE(comes_to_say("4/h"));
  EXPECT_EQ(running_->say("RL.RULES api 1 1 user 42\r\n").substr(0, 16), "*7\r\n:1\r\n:4\r\n:1\r\n")
      << "what was used stays used";
  running_->stop();
  EXPECT_TRUE(running_->logged("error rules refused place=" + path.string() + ":4:27"))
      << running_->stream.text();
}

TEST_F(ServerRules, Are_loaded_on_request) {
  const fs::path path = folder_ / "limits.yaml";
  write(path, rules("3/h"));
  start(path);
  const std::string request = "POST /-/reload HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  EXPECT_EQ(http(request), "reloaded\n");
  EXPECT_EQ(used(), 2U);
  write(path, "domain: api\ndomian: x\n");
  EXPECT_EQ(http(request), path.string() +
                               ":2:1: unknown key \"domian\"; did you mean domain?\n"
                               "the rules that were in use still are\n");
}

TEST(ServerWithoutRules, Has_nothing_to_reload) {
  const Running running{{{"http", "127.0.0.1:0"}}};
  EXPECT_NE(running.say("POST /-/reload HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 1)
                .find("--rules: none were given"),
            std::string::npos);
}

// How many answers to RL.RULES there are that begin so.
std::size_t count(const std::string& answers, std::string_view begin) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = answers.find(begin, at)) != std::string::npos; ++at) ++found;
  return found;
}

// The limit that is loaded changes what else stands in the file, not what a user may do.
TEST_F(ServerRules, Loaded_a_hundred_times_under_load_fail_no_call_and_forgive_no_key) {
  constexpr int kUsers = 20;
  constexpr int kLimit = 500;
  const fs::path path = folder_ / "limits.yaml";
  const auto text = [&](int version) {
    return rules(std::to_string(kLimit) + "/h") + "  - {key: version" + std::to_string(version) +
           "}\n";
  };
  write(path, text(0));
  start(path);
  std::atomic<bool> done = false;
  std::atomic<std::size_t> asked = 0;
  std::atomic<std::size_t> allowed = 0;
  std::atomic<std::size_t> denied = 0;
  std::string requests;
  for (int user = 0; user < kUsers; ++user)
    requests += "RL.RULES api 1 1 user " + std::to_string(user) + "\r\n";
  std::vector<std::jthread> clients;
  for (int i = 0; i < 2; ++i)
    clients.emplace_back([&] {
      while (!done) {
        const std::string answers = running_->say(requests);
        asked += kUsers;
        allowed += count(answers, "*7\r\n:1\r\n");
        denied += count(answers, "*7\r\n:0\r\n");
      }
    });
  for (int version = 1; version <= 100; ++version) {
    write(folder_ / "next", text(version));
    fs::rename(folder_ / "next", path);
    const std::uint64_t wanted = static_cast<std::uint64_t>(version) + 1;
    ASSERT_TRUE(becomes_true([&] { return used() >= wanted; })) << version;
  }
  EXPECT_TRUE(becomes_true([&] { return allowed >= std::size_t{kUsers} * kLimit; }));
  done = true;
  clients.clear();
  EXPECT_EQ(allowed, std::size_t{kUsers} * kLimit);
  EXPECT_EQ(allowed + denied, asked) << "every call was answered by a decision";
  EXPECT_EQ(refused(), 0U);
}

TEST_F(ServerRules, Give_a_constant_number_of_series_whatever_keys_come) {
  write(folder_ / "limits.yaml", rules("3/h"));
  start(folder_, {{"max-memory", "0"}});
  const std::size_t before = count(get("/metrics"), "\n");
  constexpr int kBatch = 5'000;
  for (int first = 0; first < 1'000'000; first += kBatch) {
    std::string requests;
    for (int i = 0; i < kBatch; ++i)
      requests += "RL.RULES api 1 1 user u" + std::to_string(first + i) + "\r\n";
    running_->say(requests);
  }
  EXPECT_EQ(metric("tidegate_memory_keys"), 1'000'000U);
  EXPECT_EQ(count(get("/metrics"), "\n"), before);
  EXPECT_EQ(count(get("/v1/top?most=1000"), "\"error\":"), 1000U) << "bounded too";
}

}  // namespace
}  // namespace tidegate::server
