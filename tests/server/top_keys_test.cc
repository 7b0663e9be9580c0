// SpaceSaving against exact counts.
#include "tidegate/server/top_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "tests/support/random.h"

namespace tidegate::server {
namespace {

// Few keys often, many keys rarely.
std::string some_key(test::Random& random) {
  const std::int64_t most = random.pick<std::int64_t>({5, 50, 5'000});
  return "key" + std::to_string(random.between(0, most));
}

TEST(SpaceSaving, Brackets_every_true_count_and_misses_no_frequent_key) {
  test::for_each_trace(50, [](test::Random& random) {
    constexpr std::size_t kKept = 20;
    constexpr int kAdded = 3'000;
    SpaceSaving top{kKept};
    std::map<std::string, std::uint64_t> exact;
    for (int i = 0; i < kAdded; ++i) {
      const std::string key = some_key(random);
      ++exact[key];
      top.add(key);
    }
    std::map<std::string, TopKey> kept;
    std::uint64_t sum = 0;
    for (const TopKey& key : top.keys()) {
      EXPECT_LE(exact[key.key], key.count) << key.key;
      EXPECT_GE(exact[key.key] + key.error, key.count) << key.key;
      sum += key.count;
      kept.emplace(key.key, key);
    }
    EXPECT_EQ(sum, static_cast<std::uint64_t>(kAdded)) << "what one loses another takes over";
    EXPECT_LE(kept.size(), kKept);
    EXPECT_EQ(kept.size(), top.keys().size()) << "no key twice";
    for (const auto& [key, count] : exact)
      EXPECT_TRUE(count <= kAdded / kKept || kept.contains(key)) << key << " " << count;
  });
}

TEST(TopKeys, Are_told_the_first_one_first) {
  TopKeys top;
  for (int i = 0; i < 100; ++i)
    for (int n = 0; n <= i; ++n) top.add("k" + std::to_string(i));
  const std::vector<TopKey> most = top.most(3);
  ASSERT_EQ(most.size(), 3U);
  EXPECT_EQ(most[0].key, "k99");
  EXPECT_EQ(most[0].count, 100U);
  EXPECT_EQ(most[2].key, "k97");
  EXPECT_EQ(top.most(1'000).size(), 100U);
}

TEST(TopKeys, Keep_bounded_keys_and_write_any_bytes) {
  TopKeys denied;
  denied.add(std::string(70'000, 'x'));
  EXPECT_EQ(denied.most(1).front().key.size(), 256U);
  TopKeys taken;
  taken.add("a\"\xff\n");
  EXPECT_EQ(
      top_json(TopKeys{}, taken, 5),
      "{\"denied\":[],\"taken\":[{\"key\":\"a\\\"\\u00ff\\u000a\",\"count\":1,\"error\":0}]}\n");
}

}  // namespace
}  // namespace tidegate::server
