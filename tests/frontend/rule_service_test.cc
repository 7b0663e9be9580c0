// Decisions by the rules in use: what is counted, under which rules, and what a reload changes.
#include "tidegate/frontend/rule_service.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/rules/loaded.h"
#include "tests/support/delayed_store.h"
#include "tidegate/base/clock.h"
#include "tidegate/store/memory/memory_store.h"

namespace tidegate::frontend {
namespace {

using namespace std::chrono_literals;

constexpr char kRules[] = R"(
domain: api
descriptors:
  - key: user
    rate_limit: {limit: 1/min}
  - key: trial
    shadow_mode: true
    rate_limit: {limit: 1/min}
  - key: free
    rate_limit: {unlimited: true}
  - key: outer
    rate_limit: {limit: 5/min, name: outer}
  - key: inner
    rate_limit: {limit: 5/min, replaces: [{name: outer}]}
)";

// A call, and whether it has completed.
struct Call : RuleCall {
  explicit Call(Protocol by)
      : RuleCall{by, [](RuleCall& call) { static_cast<Call&>(call).completed = true; }} {}
  bool completed = false;
};

class RuleServiceTest : public testing::Test {
 protected:
  RuleServiceTest() { service_.use(test::load_text(kRules).rules); }

  // Asks for descriptors of one entry, each `key=value`.
  std::unique_ptr<Call> ask(const std::vector<std::string_view>& texts,
                            Protocol by = Protocol::kHttp, std::string_view domain = "api") {
    std::vector<std::vector<rules::DescriptorEntry>> entries;
    for (const std::string_view text : texts) entries.push_back(test::entries_of(text));
    std::vector<rules::Descriptor> descriptors;
    for (const auto& list : entries) descriptors.push_back({.entries = list});
    auto call = std::make_unique<Call>(by);
    loop_->ask({.domain = domain, .descriptors = descriptors}, *call);
    return call;
  }

  // How often the rule of this path was decided so.
  std::uint64_t count(std::string_view path, Counted counted, Protocol by = Protocol::kHttp) {
    const RuleService::Counts counts = service_.counts();
    for (const rules::Rule& rule : counts.rules->domains().front().rules)
      if (rule.path == path) return counts.of_rules[rule.number].of(by, counted);
    ADD_FAILURE() << "no rule " << path;
    return 0;
  }
  RestCounts rest(Protocol by = Protocol::kHttp) {
    return service_.counts().rest[static_cast<std::size_t>(by)];
  }

  ManualClock clock_;
  MemoryStore memory_{{}, clock_};
  test::DelayedStore store_{memory_, 3};
  RuleService service_{store_, clock_, {.store_timeout = 20ms}};
  std::unique_ptr<RuleLoop> loop_ = std::make_unique<RuleLoop>(service_);
};

TEST_F(RuleServiceTest, Counts_by_rule_outcome_and_protocol) {
  std::vector<std::unique_ptr<Call>> calls;
  for (int i = 0; i < 3; ++i) {
    calls.push_back(ask({"user=42"}));
    calls.push_back(ask({"trial=x"}, Protocol::kGrpc));
    store_.run_all();
  }
  EXPECT_EQ(count("api|user", Counted::kAllowed), 1U);
  EXPECT_EQ(count("api|user", Counted::kDenied), 2U);
  EXPECT_EQ(count("api|user", Counted::kDenied, Protocol::kGrpc), 0U);
  EXPECT_EQ(count("api|trial", Counted::kAllowed, Protocol::kGrpc), 1U);
  EXPECT_EQ(count("api|trial", Counted::kShadowDenied, Protocol::kGrpc), 2U);
  EXPECT_TRUE(calls.back()->allowed());
  EXPECT_FALSE(calls[4]->allowed());
}

TEST_F(RuleServiceTest, Completes_at_once_what_meets_no_limit) {
  const auto free = ask({"free=x", "nobody=x"});
  EXPECT_TRUE(free->completed);
  EXPECT_TRUE(free->allowed());
  EXPECT_EQ(free->bound(), nullptr);
  EXPECT_EQ(count("api|free", Counted::kAllowed), 1U);
  EXPECT_EQ(rest().without_limit, 1U);
  const auto unknown = ask({"user=42"}, Protocol::kHttp, "elsewhere");
  EXPECT_TRUE(unknown->allowed());
  EXPECT_FALSE(unknown->knows_domain());
  EXPECT_EQ(rest().unknown_domain, 1U);
}

TEST_F(RuleServiceTest, Does_not_count_a_rule_that_another_replaces) {
  const auto call = ask({"outer=x", "inner=x"});
  store_.run_all();
  EXPECT_EQ(count("api|outer", Counted::kAllowed), 0U);
  EXPECT_EQ(count("api|inner", Counted::kAllowed), 1U);
  EXPECT_EQ(rest().without_limit, 1U);
  EXPECT_EQ(call->take(call->descriptors()[0]), nullptr);
  ASSERT_NE(call->decision(call->descriptors()[1]), nullptr);
  EXPECT_EQ(call->decision(call->descriptors()[1])->remaining, 4U);
}

TEST_F(RuleServiceTest, Decides_by_a_limit_that_the_request_brings) {
  const auto entries = test::entries_of("anything=x");
  const rules::Descriptor descriptor{.entries = entries, .limit = *Limit::parse("1/min")};
  for (int i = 0; i < 2; ++i) {
    Call call{Protocol::kGrpc};
    loop_->ask({.domain = "api", .descriptors = {&descriptor, 1}}, call);
    store_.run_all();
    EXPECT_EQ(call.allowed(), i == 0);
  }
  EXPECT_EQ(rest(Protocol::kGrpc).brought_allowed, 1U);
  EXPECT_EQ(rest(Protocol::kGrpc).brought_denied, 1U);
}

TEST_F(RuleServiceTest, Keeps_the_counts_of_a_rule_when_rules_are_loaded_anew) {
  const auto before = ask({"user=42"});
  store_.run_all();
  service_.use(test::load_text("domain: api\ndescriptors:\n  - key: other\n  - key: user\n"
                               "    rate_limit: {limit: 7/min}\n")
                   .rules);
  EXPECT_EQ(count("api|user", Counted::kAllowed), 1U) << "the loop still holds the old set";
  const auto after = ask({"user=43"});
  store_.run_all();
  EXPECT_EQ(after->bound()->capacity, 7U);
  EXPECT_EQ(count("api|user", Counted::kAllowed), 2U);
  service_.use(test::load_text(kRules).rules);
  EXPECT_EQ(count("api|user", Counted::kAllowed), 2U);
  loop_.reset();
  EXPECT_EQ(count("api|user", Counted::kAllowed), 2U) << "and when the loop has gone";
}

TEST_F(RuleServiceTest, Decides_by_the_rules_of_when_it_was_asked) {
  const auto call = ask({"user=42"});
  service_.use(test::load_text("domain: api\n").rules);
  EXPECT_EQ(loop_->rules().size(), 0U);
  store_.run_all();
  EXPECT_TRUE(call->completed);
  EXPECT_EQ(call->bound()->capacity, 1U);
  EXPECT_EQ(call->descriptors().front().rule->path, "api|user") << "they live on";
}

// Holds what it is given until told to answer, and notes by when it should.
class Holding final : public Store {
 public:
  void submit(TakeOp& op) override { held = &op; }
  void submit(GiveBackOp&) override {}
  void submit(ResetOp&) override {}
  void answer(bool degraded) {
    held->verdict.decisions.assign(held->takes.size(), {.capacity = 1, .allowed = true});
    held->verdict.allowed = true;
    held->verdict.degraded = degraded;
    held->complete(*held);
  }
  TakeOp* held = nullptr;
};

TEST_F(RuleServiceTest, Passes_on_by_when_an_answer_is_of_use) {
  Holding holding;
  RuleService service{holding, clock_, {.store_timeout = 20ms}};
  service.use(test::load_text(kRules).rules);
  RuleLoop loop{service};
  const auto entries = test::entries_of("user=42");
  const rules::Descriptor descriptor{.entries = entries};
  Call call{Protocol::kGrpc};
  loop.ask({.domain = "api", .descriptors = {&descriptor, 1}}, call);
  EXPECT_EQ(holding.held->deadline, clock_.now() + 20ms);
  clock_.advance(3ms);
  holding.answer(true);
  EXPECT_TRUE(call.degraded());
  const RuleService::Counts counts = service.counts();
  EXPECT_EQ(counts.of_rules[0].of(Protocol::kGrpc, Counted::kDegraded), 1U);
  const Latency& latency = counts.latency[static_cast<std::size_t>(Protocol::kGrpc)];
  EXPECT_EQ(latency.total_us, 3'000U);
  EXPECT_EQ(latency.counts[Latency::bucket(3ms)], 1U);
  call.give_up = clock_.now() + 5ms;
  loop.ask({.domain = "api", .descriptors = {&descriptor, 1}}, call);
  EXPECT_EQ(holding.held->deadline, clock_.now() + 5ms);
  holding.answer(false);
  EXPECT_FALSE(call.degraded());
}

TEST_F(RuleServiceTest, Sums_the_counts_of_all_loops) {
  RuleLoop other{service_};
  const auto first = ask({"user=1"});
  const auto entries = test::entries_of("user=2");
  const rules::Descriptor descriptor{.entries = entries};
  Call second{Protocol::kHttp};
  other.ask({.domain = "api", .descriptors = {&descriptor, 1}}, second);
  store_.run_all();
  EXPECT_EQ(count("api|user", Counted::kAllowed), 2U);
}

TEST_F(RuleServiceTest, Counts_as_an_error_what_no_store_can_decide) {
  const std::string value(70'000, 'x');
  const auto call = ask({"user=" + value});
  store_.run_all();
  ASSERT_TRUE(call->problem());
  EXPECT_EQ(rest().errors, 1U);
}

}  // namespace
}  // namespace tidegate::frontend
