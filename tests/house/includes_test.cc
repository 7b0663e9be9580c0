#include "tests/house/includes.h"

#include <gtest/gtest.h>

namespace tidegate::house {
namespace {

std::string including(std::string_view header) {
  return "#include " + std::string{header} + "\n";
}

Findings arrows(std::string_view path, std::string_view header) {
  return arrow_findings({std::string{path}, including("\"" + std::string{header} + "\"")});
}

Findings budget(std::string_view path, std::string_view header) {
  return budget_findings({std::string{path}, including("<" + std::string{header} + ">")});
}

TEST(Part, Is_the_folder_or_the_file_at_the_root) {
  EXPECT_EQ(part_of("tidegate/base/time.h"), "base");
  EXPECT_EQ(part_of("tidegate/store/memory/table.cc"), "store");
  EXPECT_EQ(part_of("tidegate/store/redis/connection.h"), "store/redis");
  EXPECT_EQ(part_of("tidegate/limiter.h"), "limiter");
  EXPECT_EQ(part_of("tidegate/asio.h"), "asio");
}

TEST(Arrows, Point_down) {
  EXPECT_TRUE(arrows("tidegate/limiter.cc", "tidegate/store/memory/memory_store.h").empty());
  EXPECT_TRUE(arrows("tidegate/frontend/resp.cc", "tidegate/wire/resp.h").empty());
  EXPECT_TRUE(arrows("tidegate/store/redis/redis_store.cc", "tidegate/net/tls.h").empty());
  EXPECT_TRUE(arrows("tidegate/server/ports.cc", "tidegate/store/redis/redis_store.h").empty());
  EXPECT_TRUE(arrows("tidegate/cli/main.cc", "tidegate/replay/report.h").empty());
}

TEST(Arrows, Do_not_point_up_or_aside) {
  for (const auto& [path, header] : std::vector<std::pair<std::string, std::string>>{
           {"tidegate/base/clock.cc", "tidegate/algorithm/limit.h"},
           {"tidegate/algorithm/limit.cc", "tidegate/store/store.h"},
           {"tidegate/store/store.cc", "tidegate/limiter.h"},
           {"tidegate/store/failover.cc", "tidegate/wire/resp.h"},
           {"tidegate/wire/resp.cc", "tidegate/net/tls.h"},
           {"tidegate/wire/resp.cc", "tidegate/algorithm/limit.h"},
           {"tidegate/limiter.cc", "tidegate/store/redis/redis_store.h"},
           {"tidegate/limiter.cc", "tidegate/bucket.h"},
           {"tidegate/frontend/http.cc", "tidegate/net/tls.h"},
           {"tidegate/replay/report.cc", "tidegate/server/config.h"},
           {"tidegate/server/ports.cc", "tidegate/cli/io.h"}}) {
    EXPECT_EQ(arrows(path, header).size(), 1u) << path << " includes " << header;
  }
}

TEST(Arrows, Name_the_line_and_what_may_be_seen) {
  const File file{"tidegate/algorithm/limit.cc",
                  "// top\n\n  #  include \"tidegate/bucket.h\" // x\n"};
  EXPECT_EQ(arrow_findings(file),
            Findings{"tidegate/algorithm/limit.cc:3: algorithm may not see bucket; it sees: base"});
}

TEST(Arrows, Refuse_paths_that_are_not_from_the_root) {
  EXPECT_EQ(arrows("tidegate/base/clock.cc", "clock.h").size(), 1u);
  EXPECT_EQ(arrows("tidegate/base/clock.cc", "tests/support/random.h").size(), 1u);
}

TEST(Arrows, Refuse_a_folder_that_is_not_in_the_table) {
  EXPECT_EQ(arrow_findings({"tidegate/util/misc.h", ""}).size(), 1u);
}

TEST(Budget, Keeps_Asio_where_sockets_are) {
  EXPECT_TRUE(budget("tidegate/net/socket.h", "boost/asio.hpp").empty());
  EXPECT_TRUE(budget("tidegate/store/redis/connection.h", "boost/asio/io_context.hpp").empty());
  EXPECT_TRUE(budget("tidegate/server/ports.cc", "boost/asio.hpp").empty());
  EXPECT_EQ(budget("tidegate/frontend/http.cc", "boost/asio.hpp").size(), 1u);
  EXPECT_EQ(budget("tidegate/store/failover.cc", "boost/asio/steady_timer.hpp").size(), 1u);
}

TEST(Budget, Keeps_dear_headers_out_of_headers) {
  for (const char* header :
       {"boost/beast/http.hpp", "CLI/CLI.hpp", "spdlog/spdlog.h", "grpcpp/grpcpp.h"}) {
    EXPECT_TRUE(budget("tidegate/cli/command_line.cc", header).empty()) << header;
    EXPECT_EQ(budget("tidegate/cli/command_line.h", header).size(), 1u) << header;
  }
}

TEST(Budget, Keeps_yaml_in_its_file_and_xxhash_in_the_memory_store) {
  EXPECT_TRUE(budget("tidegate/rules/yaml.cc", "yaml-cpp/yaml.h").empty());
  EXPECT_EQ(budget("tidegate/rules/rule_set.cc", "yaml-cpp/yaml.h").size(), 1u);
  EXPECT_TRUE(budget("tidegate/store/memory/identity.cc", "xxhash.h").empty());
  EXPECT_EQ(budget("tidegate/store/store.cc", "xxhash.h").size(), 1u);
}

TEST(Budget, Keeps_the_library_alone_small) {
  EXPECT_TRUE(budget("tidegate/limiter.cc", "vector").empty());
  EXPECT_TRUE(budget("tidegate/base/clock.cc", "time.h").empty());
  EXPECT_TRUE(budget("tidegate/store/memory/arena.cc", "sys/mman.h").empty());
  EXPECT_TRUE(budget("tidegate/base/expected.h", "tl/expected.hpp").empty());
  EXPECT_EQ(budget("tidegate/limiter.cc", "fmt/format.h").size(), 1u);
  EXPECT_EQ(budget("tidegate/middleware/guard.h", "boost/json.hpp").size(), 1u);
  EXPECT_TRUE(budget("tidegate/cli/text.cc", "boost/json.hpp").empty());
}

TEST(Tree, Includes_along_the_arrows) {
  const std::vector<File> files = files_in({"tidegate"}, {".h", ".cc"});
  ASSERT_GT(files.size(), 20u);
  for (const File& file : files) {
    const Findings findings = arrow_findings(file);
    EXPECT_TRUE(findings.empty()) << joined(findings);
  }
}

TEST(Tree, Keeps_the_include_budget) {
  for (const File& file : files_in({"tidegate"}, {".h", ".cc"})) {
    const Findings findings = budget_findings(file);
    EXPECT_TRUE(findings.empty()) << joined(findings);
  }
}

}  // namespace
}  // namespace tidegate::house
