// Settings from flags, variables and defaults: what they mean, which counts, what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "tidegate/server/read_settings.h"
#include "tidegate/server/settings_table.h"

namespace tidegate::server {
namespace {

using namespace std::literals;
using Texts = std::map<std::string, std::string>;

Expected<Settings> read(Texts flags, Texts variables = {}) {
  const auto variable = [&variables](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
  return read_settings({.flags = std::move(flags), .variable = variable});
}

std::string refusal(Texts flags, Texts variables = {}) {
  const auto settings = read(std::move(flags), std::move(variables));
  return settings ? "accepted" : settings.error().message();
}

TEST(Settings, Have_defaults) {
  const Settings settings = read({}).value();
  EXPECT_EQ(settings.resp, (std::vector{net::Address{.host = "127.0.0.1", .port = 6380}}));
  EXPECT_EQ(settings.threads, 0u);
  EXPECT_EQ(settings.max_memory, 1u << 30);
  EXPECT_EQ(settings.max_output, 1u << 20);
  EXPECT_EQ(settings.write_timeout, 30s);
  EXPECT_EQ(settings.log_denials, "0/s"_limit);
}

// Every default is a value that its own setting reads.
TEST(Settings, Have_defaults_that_can_be_written) {
  for (const Setting& setting : settings_table()) {
    Settings into;
    if (setting.standard.empty()) continue;
    EXPECT_EQ(setting.read(setting.standard, into), std::nullopt) << setting.name;
    EXPECT_EQ(refusal({{std::string{setting.name}, std::string{setting.standard}}}), "accepted");
  }
}

// Its row in the documentation.
std::string row(const Setting& setting) {
  const bool none = setting.standard.empty() || setting.standard == "none";
  const std::string standard = none ? "none" : "`" + std::string{setting.standard} + "`";
  return "| `" + setting.flag() + " " + std::string{setting.value} + "` | " + standard + " | " +
         std::string{setting.about} + " |\n";
}

TEST(Settings, Are_documented_as_they_are) {
  std::ifstream file{TIDEGATE_SOURCE_DIR "/docs/server.md"};
  const std::string page{std::istreambuf_iterator<char>{file}, {}};
  for (const Setting& setting : settings_table())
    EXPECT_NE(page.find(row(setting)), std::string::npos) << row(setting);
}

TEST(Settings, Have_one_name_in_three_spellings) {
  const auto table = settings_table();
  const Setting& setting = *std::find_if(
      table.begin(), table.end(), [](const Setting& one) { return one.name == "resp-tls-cert"; });
  EXPECT_EQ(setting.flag(), "--resp-tls-cert");
  EXPECT_EQ(setting.variable(), "TIDEGATE_RESP_TLS_CERT");
  EXPECT_EQ(setting.key(), "resp_tls_cert");
}

TEST(Settings, Take_the_ways_of_another_service_where_nothing_else_is_given) {
  const Settings plain = *read({});
  EXPECT_EQ(plain.charge_in_use(), Charge::kAllOrNothing);
  EXPECT_EQ(plain.algorithm_in_use(), Algorithm::kSlidingWindow);
  const Settings envoy = *read({{"compat", "envoy"}});
  EXPECT_EQ(envoy.charge_in_use(), Charge::kEach);
  EXPECT_EQ(envoy.algorithm_in_use(), Algorithm::kFixedWindow);
  const Settings both = *read(
      {{"compat", "envoy"}, {"charge", "all_or_nothing"}, {"default-algorithm", "token_bucket"}});
  EXPECT_EQ(both.charge_in_use(), Charge::kAllOrNothing);
  EXPECT_EQ(both.algorithm_in_use(), Algorithm::kTokenBucket);
}

TEST(Settings, Want_somebody_to_be_able_to_ask) {
  EXPECT_EQ(refusal({{"resp", "none"}}),
            "--resp none: then nobody could ask: give --http or --grpc an address");
  EXPECT_EQ(refusal({{"resp", "none"}, {"grpc", "127.0.0.1:0"}}), "accepted");
  EXPECT_EQ(refusal({{"resp", "none"}, {"http", "127.0.0.1:0"}}), "accepted");
}

TEST(Settings, Are_read_from_flags) {
  const Settings settings = read({{"resp", "[::1]:1,unix:/run/t.sock"},
                                  {"threads", "3"},
                                  {"max-memory", "64M"},
                                  {"on-full", "deny_new"},
                                  {"charge", "each"},
                                  {"log-level", "error"},
                                  {"log-format", "json"},
                                  {"log-denials", "10/s"},
                                  {"idle-timeout", "5min"}})
                                .value();
  EXPECT_EQ(settings.resp, (std::vector{net::Address{.host = "::1", .port = 1},
                                        net::Address{.path = "/run/t.sock"}}));
  EXPECT_EQ(settings.threads, 3u);
  EXPECT_EQ(settings.max_memory, 64u << 20);
  EXPECT_EQ(settings.on_full, OnFull::kDenyNew);
  EXPECT_EQ(settings.charge, Charge::kEach);
  EXPECT_EQ(settings.log_level, LogLevel::kError);
  EXPECT_EQ(settings.log_format, LogFormat::kJson);
  EXPECT_EQ(settings.log_denials, "10/s"_limit);
  EXPECT_EQ(settings.idle_timeout, 5min);
}

TEST(Settings, Are_read_from_variables_and_flags_count_more) {
  const Texts variables = {{"TIDEGATE_THREADS", "5"}, {"TIDEGATE_ON_FULL", "deny_new"}};
  const Settings settings = read({{"threads", "3"}}, variables).value();
  EXPECT_EQ(settings.threads, 3u);
  EXPECT_EQ(settings.on_full, OnFull::kDenyNew);
}

TEST(Settings, Leave_empty_and_foreign_variables_alone) {
  EXPECT_EQ(read({}, {{"TIDEGATE_THREADS", ""}, {"TIDEGATE_PORT", "tcp://10.0.0.1:80"}}).value(),
            read({}).value());
}

TEST(Settings, Name_the_place_of_a_mistake_and_what_would_be_right) {
  EXPECT_EQ(refusal({{"threads", "many"}}),
            "--threads \"many\": expected a whole number, 0 to 256");
  EXPECT_EQ(refusal({}, {{"TIDEGATE_THREADS", "257"}}),
            "TIDEGATE_THREADS \"257\": expected a whole number, 0 to 256");
  EXPECT_EQ(refusal({{"max-memory", "1 g"}}),
            "--max-memory \"1 g\": expected bytes, as in 1g, 512m or 64k, or 0");
  EXPECT_EQ(refusal({{"on-full", "Evict"}}), "--on-full \"Evict\": expected evict or deny_new");
  EXPECT_EQ(refusal({{"log-level", ""}}),
            "--log-level \"\": expected debug or info or warn or error");
  EXPECT_EQ(refusal({{"resp", "a:1,"}}),
            "--resp \"a:1,\": expected HOST:PORT, as in 127.0.0.1:6380, or unix:PATH");
  EXPECT_EQ(refusal({{"idle-timeout", "10"}}).rfind("--idle-timeout \"10\": column 3: ", 0), 0u)
      << refusal({{"idle-timeout", "10"}});
  EXPECT_EQ(refusal({{"log-denials", "10"}}).rfind("--log-denials \"10\": column 3: ", 0), 0u)
      << refusal({{"log-denials", "10"}});
}

TEST(Settings, That_need_each_other_are_refused_alone) {
  EXPECT_EQ(refusal({{"resp-tls-cert", "c"}}),
            "--resp-tls-cert: needs --resp-tls-key, the certificate's key");
  EXPECT_EQ(refusal({{"resp-tls-key", "k"}}),
            "--resp-tls-key: needs --resp-tls-cert, the key's certificate");
  EXPECT_EQ(refusal({{"resp-tls-client-ca", "a"}}),
            "--resp-tls-client-ca: needs TLS: --resp-tls-cert and --resp-tls-key");
  EXPECT_EQ(refusal({{"resp-tls-cert", "c"}, {"resp-tls-key", "k"}, {"resp-tls-client-ca", "a"}}),
            "accepted");
}

TEST(Settings, Of_sizes_take_every_size_there_is_and_no_more) {
  const struct {
    const char* text;
    std::optional<std::uint64_t> bytes;
  } kTable[] = {
      {"0", 0},
      {"100", 100},
      {"1k", 1024},
      {"3T", std::uint64_t{3} << 40},
      {"18446744073709551615", ~std::uint64_t{0}},
      {"18446744073709551616", std::nullopt},
      {"16777215t", std::uint64_t{16777215} << 40},
      {"16777216t", std::nullopt},
      {"", std::nullopt},
      {"g", std::nullopt},
      {"-1", std::nullopt},
      {"1.5g", std::nullopt},
      {"1gb", std::nullopt},
      {"0x10", std::nullopt},
  };
  for (const auto& row : kTable) {
    const auto settings = read({{"max-memory", row.text}});
    EXPECT_EQ(settings.has_value(), row.bytes.has_value()) << row.text;
    EXPECT_EQ(settings ? settings->max_memory : 0, row.bytes.value_or(0)) << row.text;
  }
}

}  // namespace
}  // namespace tidegate::server
