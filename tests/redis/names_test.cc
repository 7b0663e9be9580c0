#include "tidegate/store/redis/names.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/support/random.h"

namespace tidegate::test {
namespace {

using redis::Names;

const Names& names() {
  static const Names names{RedisOptions{}};
  return names;
}

// What a cluster hashes of a name: between the first opening brace and the next closing one.
std::string slot_text(const std::string& name) {
  const std::size_t open = name.find('{');
  const std::size_t close = name.find('}', open);
  const bool tagged = open != std::string::npos && close != std::string::npos && close > open + 1;
  return tagged ? name.substr(open + 1, close - open - 1) : name;
}

std::string random_key(Random& random) {
  std::string key;
  for (auto i = random.between(0, 8); i > 0; --i)
    key += random.pick({'a', '{', '}', '%', ':', '7', 'B', 'D', '2', '5', '\0', '\xff', '*'});
  return key;
}

TEST(RedisNames, Ordinary_keys_read_as_they_are) {
  EXPECT_EQ(names().name(Algorithm::kSlidingWindow, "user:1"), "tidegate:{user:1}:sliding_window");
  EXPECT_EQ(names().name(Algorithm::kTokenBucket, ""), "tidegate:{}:token_bucket");
}

TEST(RedisNames, A_users_braces_choose_no_slot) {
  EXPECT_EQ(names().name(Algorithm::kFixedWindow, "}{x}"), "tidegate:{%7D%7Bx%7D}:fixed_window");
  for_each_trace(2'000, [](Random& random) {
    const std::string a = random_key(random);
    const std::string b = random_key(random);
    if (a.empty() || b.empty() || a == b) return;
    const auto algorithm = random.pick_from(redis::kEveryAlgorithm);
    EXPECT_NE(slot_text(names().name(algorithm, a)), slot_text(names().name(algorithm, b)));
  });
}

TEST(RedisNames, A_keys_states_lie_in_one_slot) {
  std::set<std::string> slots;
  for (const Algorithm algorithm : redis::kEveryAlgorithm)
    slots.insert(slot_text(names().name(algorithm, "{a}b}")));
  EXPECT_EQ(slots.size(), 1U);
}

TEST(RedisNames, Parse_undoes_name) {
  for_each_trace(2'000, [](Random& random) {
    const std::string key = random_key(random);
    const auto algorithm = random.pick_from(redis::kEveryAlgorithm);
    const auto named = names().parse(names().name(algorithm, key));
    ASSERT_TRUE(named);
    EXPECT_EQ(named->key, key);
    EXPECT_EQ(named->algorithm, algorithm);
  });
}

TEST(RedisNames, Strangers_are_not_parsed) {
  for (const char* name :
       {"", "tidegate:", "tidegate:{a", "tidegate:{a}", "tidegate:{a}:", "tidegate:{a}:leaky",
        "other:{a}:fixed_window", "tidegate:{a%}:fixed_window", "tidegate:{a{b}:fixed_window"})
    EXPECT_FALSE(names().parse(name)) << name;
}

TEST(RedisNames, A_layouts_keys_are_the_prefix_and_the_key) {
  RedisOptions options{.prefix = "rl:"};
  options.sliding_window = SlidingWindowLayout::kZset;
  const Names zset{options};
  EXPECT_EQ(zset.name(Algorithm::kSlidingWindow, "{u}%1"), "rl:{u}%1");
  EXPECT_EQ(zset.form(Algorithm::kSlidingWindow), "zset");
  EXPECT_EQ(zset.name(Algorithm::kFixedWindow, "u"), "rl:{u}:fixed_window");
  EXPECT_EQ(zset.form("5/s refill interval"_limit), "token_bucket_interval");
}

TEST(RedisNames, A_takes_own_layout_counts_before_that_of_the_store) {
  RedisOptions options{.prefix = "rl:"};
  options.sliding_window = SlidingWindowLayout::kZset;
  const Names zset{options};
  std::string name;
  zset.append(name, Algorithm::kSlidingWindow, "u", Layout::kList);
  EXPECT_EQ(name, "rl:u");
  EXPECT_EQ(zset.form("5/s"_limit, Layout::kList), "list");
  EXPECT_EQ(zset.form("5/s algorithm fixed_window"_limit, Layout::kCounter), "counter");
}

TEST(RedisNames, A_pattern_takes_the_prefix_literally_and_the_glob_as_one) {
  EXPECT_EQ(Names{RedisOptions{.prefix = "a*:"}}.pattern("user:*"), "a\\*:{user:*}:*");
}

}  // namespace
}  // namespace tidegate::test
