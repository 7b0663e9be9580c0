#include "tidegate/replay/report.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "tests/replay/traffic.h"
#include "tidegate/replay/condition.h"
#include "tidegate/replay/numbers.h"
#include "tidegate/replay/page.h"
#include "tidegate/replay/rules_outcome.h"
#include "tidegate/replay/svg.h"

namespace tidegate::replay {
namespace {

using namespace std::chrono_literals;

Report report_of(const Trace& trace, std::vector<Limit> limits) {
  Report report{.trace = trace,
                .by = "client",
                .frame = frame_of(trace, 60),
                .demand = demand_of(trace, 60s)};
  for (const Limit& limit : limits)
    report.outcomes.push_back(decide(trace, limit, report.frame, 1));
  return report;
}

Trace hostile_trace() {
  Trace trace;
  for (const char* key : {"<script>alert(1)</script>", "\"quoted\" & more", "\x1b[31mred",
                          "bad\xff utf8", "", "plain"})
    for (int i = 0; i < 5; ++i) add(trace, key, i * 1s);
  sort(trace);
  trace.read.lines = 31;
  trace.read.bad_lines = 1;
  trace.read.first_bad = {{"a<b>.log", 7, "no time & no \"client\""}};
  return trace;
}

TEST(ReportJson, Is_one_object_with_the_counts_on_top) {
  const Trace trace = hostile_trace();
  const auto json = boost::json::parse(as_json(report_of(trace, {"2/min"_limit}))).as_object();
  EXPECT_EQ(json.at("lines"), 31);
  EXPECT_EQ(json.at("bad_lines"), 1);
  EXPECT_EQ(json.at("keys"), 6);
  EXPECT_EQ(json.at("allowed"), 12);
  EXPECT_EQ(json.at("denied"), 18);
  EXPECT_EQ(json.at("denied_keys"), 6);
  EXPECT_EQ(json.at("first_bad_lines").at(0).at("line"), 7);
  EXPECT_EQ(json.at("limits").at(0).at("top_denied").at(0).at("key"), "<script>alert(1)</script>");
}

TEST(ReportJson, Has_a_list_for_several_limits) {
  const Trace trace = hostile_trace();
  Report report = report_of(trace, {"2/min"_limit, "5/min"_limit});
  report.suggestion = suggest(trace, report.demand, {.period = 60s});
  const auto json = boost::json::parse(as_json(report)).as_object();
  EXPECT_FALSE(json.contains("allowed"));
  EXPECT_EQ(json.at("limits").at(1).at("denied"), 0);
  EXPECT_EQ(json.at("suggestion").at("by_touch").at("tokens"), 5);
  EXPECT_EQ(json.at("suggestion").at("by_touch").at("throttle"), "CL.THROTTLE key 4 5 60");
}

TEST(ReportText, Obeys_no_bytes_of_a_key) {
  const Trace trace = hostile_trace();
  const std::string text = as_text(report_of(trace, {"2/min"_limit}));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("?[31mred"), std::string::npos);
  EXPECT_NE(text.find("bad line a<b>.log:7: no time & no \"client\""), std::string::npos);
}

TEST(ReportPage, Escapes_keys_and_needs_no_network) {
  const Trace trace = hostile_trace();
  Report report = report_of(trace, {"2/min"_limit, "60/min burst 3"_limit});
  report.suggestion = suggest(trace, report.demand, {.period = 60s});
  const std::string page = as_page(report);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(1)&lt;/script&gt;"), std::string::npos);
  EXPECT_NE(page.find("bad\\xff utf8"), std::string::npos);
  for (const char* outside : {"http:", "https:", "url(", "@import", "src="})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  EXPECT_NE(page.find("prefers-color-scheme: dark"), std::string::npos);
}

TEST(ReportPage, Shows_snippets_line_by_line) {
  const Trace trace = hostile_trace();
  Report report = report_of(trace, {});
  report.suggestion = suggest(trace, report.demand, {.period = 60s});
  EXPECT_NE(as_page(report).find("domain: api\ndescriptors:\n  - key: client"), std::string::npos);
}

TEST(ReportPage, Has_a_table_under_each_figure) {
  const Trace trace = hostile_trace();
  const std::string page = as_page(report_of(trace, {"2/min"_limit}));
  const auto count = [&](std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = page.find(what, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count("<figure"), 4U);
  EXPECT_EQ(count("<svg"), 4U);
  EXPECT_EQ(count("<table>"), 4U);
}

TEST(ReportPage, May_be_of_no_requests) {
  const Trace trace;
  EXPECT_NE(as_page(report_of(trace, {"2/min"_limit})).find("</html>"), std::string::npos);
  EXPECT_NE(as_text(report_of(trace, {"2/min"_limit})).find("0 lines"), std::string::npos);
}

TEST(Condition, Compares_numbers_as_numbers_and_texts_as_texts) {
  const auto holds = [](std::string_view condition, std::string_view value) {
    return Condition::parse(condition).value().holds(value);
  };
  EXPECT_TRUE(holds("status!=429", "200"));
  EXPECT_FALSE(holds("status!=429", "429"));
  EXPECT_TRUE(holds("bytes>9", "10"));
  EXPECT_TRUE(holds("bytes>=10", "10.0"));
  EXPECT_FALSE(holds("bytes<9", "10"));
  EXPECT_TRUE(holds("bytes<=9", "9"));
  EXPECT_TRUE(holds("path~/api/", "/v1/api/x"));
  EXPECT_FALSE(holds("path~/api/", "/v1"));
  EXPECT_TRUE(holds("method==GET", "GET"));
  EXPECT_TRUE(holds("agent=", ""));
}

TEST(Condition, Refuses_what_it_is_not) {
  for (const char* text : {"", "status", "=1", "!=", "status 429"})
    EXPECT_FALSE(Condition::parse(text)) << text;
}

TEST(Snippets, Say_the_limit_in_the_words_of_others) {
  const Snippets words = snippets(60, 60s, "client");
  EXPECT_NE(words.rule.find("limit: 60/min"), std::string::npos) << words.rule;
  EXPECT_NE(words.nginx.find("rate=1r/s"), std::string::npos) << words.nginx;
  EXPECT_NE(words.nginx.find("burst=59 nodelay"), std::string::npos);
  EXPECT_EQ(words.throttle, "CL.THROTTLE key 59 60 60");
  EXPECT_NE(words.envoy.find("unit: minute\n      requests_per_unit: 60"), std::string::npos);
  EXPECT_NE(snippets(7, 60s, "client").nginx.find("rate=7r/m"), std::string::npos);
}

TEST(Numbers, Read_well) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(123456), "123,456");
  EXPECT_EQ(counted(1, "key"), "1 key");
  EXPECT_EQ(counted(1'000, "key"), "1,000 keys");
  EXPECT_EQ(percent(1, 3), "33 %");
  EXPECT_EQ(percent(1, 30), "3.3 %");
  EXPECT_EQ(percent(1, 3000), "0.033 %");
  EXPECT_EQ(percent(0, 0), "0 %");
  EXPECT_EQ(percent(1752, 1753), "99.94 %");
  EXPECT_EQ(percent(999'999'999, 1'000'000'000), "99.99 %") << "it is not all of them";
  EXPECT_EQ(percent(5, 5), "100 %");
  EXPECT_EQ(clock_text(Time{1'700'000'000s}), "2023-11-14 22:13:20");
  EXPECT_EQ(length_text(90s), "90 s");
  EXPECT_EQ(length_text(60s), "60 s");
  EXPECT_EQ(length_text(3h + 5min), "3 h 5 min");
  EXPECT_EQ(length_text(48h), "2 d");
}

TEST(KeyTable, Numbers_keys_in_the_order_of_their_first_lines) {
  KeyTable keys;
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 10'000; ++i)
      ASSERT_EQ(keys.id("key " + std::to_string(i)), static_cast<KeyId>(i));
  EXPECT_EQ(keys.size(), 10'000U);
  EXPECT_EQ(keys.key(9'999), "key 9999");
  EXPECT_EQ(keys.key(keys.id("")), "");
}

TEST(JoinedKey, Is_split_as_it_was_joined) {
  EXPECT_EQ(split_joined("a|b"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(split_joined("a\\|b|\\\\c|"), (std::vector<std::string>{"a|b", "\\c", ""}));
}

TEST(Svg, Shows_bytes_that_are_no_text_as_codes) {
  EXPECT_EQ(svg::escaped("a<b>&\"c"), "a&lt;b&gt;&amp;&quot;c");
  EXPECT_EQ(svg::escaped("\xc3\xa9\xff\n\xed\xa0\x80"), "\xc3\xa9\\xff\\x0a\\xed\\xa0\\x80");
}

}  // namespace
}  // namespace tidegate::replay
