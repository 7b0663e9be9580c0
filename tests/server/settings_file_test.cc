// Settings from a file: what they mean, which counts, and where a mistake stands.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tidegate/server/read_settings.h"

namespace tidegate::server {
namespace {

// The settings of a file with this text, and the path of the file.
struct InFile {
  explicit InFile(const std::string& text)
      : path{testing::TempDir() + "tidegate-settings-" + std::to_string(getpid()) + ".yaml"} {
    std::ofstream{path} << text;
  }
  ~InFile() { unlink(path.c_str()); }

  Expected<Settings> read(std::map<std::string, std::string> flags = {}) const {
    return read_settings({.flags = std::move(flags), .file = path});
  }
  // The message, without the path.
  std::string refusal() const {
    const auto settings = read();
    return settings ? "accepted" : settings.error().message().substr(path.size());
  }

  const std::string path;
};

TEST(SettingsFile, Sets_what_it_names) {
  const InFile file{
      "resp: [\":1\", \"unix:/run/t\"]\nmax_memory: 4g\nlog_denials: 10/s # enough\n"};
  const Settings settings = file.read().value();
  EXPECT_EQ(settings.resp.size(), 2u);
  EXPECT_EQ(settings.max_memory, std::uint64_t{4} << 30);
  EXPECT_EQ(settings.log_denials, "10/s"_limit);
}

TEST(SettingsFile, Counts_less_than_flags_and_variables) {
  const InFile file{"threads: 3\nmax_connections: 7\nlog_level: warn\n"};
  const auto variable = [](const char* name) {
    return std::string_view{name} == "TIDEGATE_MAX_CONNECTIONS" ? "8" : nullptr;
  };
  const Settings settings =
      read_settings({.flags = {{"threads", "4"}}, .variable = variable, .file = file.path}).value();
  EXPECT_EQ(settings.threads, 4u);
  EXPECT_EQ(settings.max_connections, 8u);
  EXPECT_EQ(settings.log_level, LogLevel::kWarn);
}

TEST(SettingsFile, Is_named_by_a_variable_too) {
  const InFile file{"threads: 3\n"};
  const auto variable = [&](const char* name) {
    return std::string_view{name} == "TIDEGATE_CONFIG" ? file.path.c_str() : nullptr;
  };
  EXPECT_EQ(read_settings({.variable = variable}).value().threads, 3u);
}

TEST(SettingsFile, May_be_empty) {
  EXPECT_EQ(InFile{""}.refusal(), "accepted");
  EXPECT_EQ(InFile{"# nothing\n"}.refusal(), "accepted");
}

TEST(SettingsFile, Names_the_place_of_a_mistake) {
  const struct {
    const char* text;
    const char* message;
  } kTable[] = {
      {"threads: many\n", ":1:10: threads \"many\": expected a whole number, 0 to 256"},
      {"threads: 1\nmax_memry: 1g\n", ":2:1: no setting \"max_memry\"; the nearest is max_memory"},
      {"max-memory: 1g\n", ":1:1: no setting \"max-memory\"; the nearest is max_memory"},
      {"config: other.yaml\n", ":1:1: no setting \"config\"; the nearest is "},
      {"threads: {a: 1}\n", ":1:10: threads: expected a value, found a map"},
      {"resp: [[a]]\n", ":1:7: resp: expected a value, found a list"},
      {"- threads\n", ":1:1: expected settings, as in `threads: 2`, found a list"},
      {"threads: 1\n---\nthreads: 2\n", ":3:1: expected one document"},
      {"threads: 1\nthreads: 2\n", ":2:1: "},
  };
  for (const auto& row : kTable) {
    const std::string refusal = InFile{row.text}.refusal();
    EXPECT_EQ(refusal.substr(0, std::string_view{row.message}.size()), row.message) << row.text;
  }
}

TEST(SettingsFile, That_is_not_there_is_an_error) {
  const auto settings = read_settings({.file = "/nowhere.yaml"});
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().message(), "file /nowhere.yaml: No such file or directory");
}

}  // namespace
}  // namespace tidegate::server
