#include "tidegate/frontend/resp/limit_commands.h"

#include <utility>
#include <vector>

#include "tidegate/frontend/resp/ask.h"
#include "tidegate/frontend/resp/decision_reply.h"
#include "tidegate/frontend/resp/numbers.h"

namespace tidegate::frontend {
namespace {

void write_verdict(resp::ReplyWriter& reply, const Verdict& verdict) {
  write_bound(reply, verdict.bound(), verdict.allowed, static_cast<std::int64_t>(verdict.binding));
}

// `key limit [cost]`.
Expected<Take> read_take(Client& client, Words words) {
  const Expected<Limit> limit = client.loop.limits.parse(words[1]);
  if (!limit) return tl::unexpected{limit.error()};
  Take take{.key = words[0], .limit = *limit};
  if (words.size() < 3) return take;
  const Expected<std::int64_t> cost = read_number("cost", words[2], 0);
  if (!cost) return tl::unexpected{cost.error()};
  take.cost = *cost;
  return take;
}

void ask_one(Client& client, Words words, Ask what) {
  constexpr std::size_t kMostWords = 4;
  if (words.size() > kMostWords)
    return client.refuse("ERR syntax: expected key limit [cost] and nothing after it");
  const Expected<Take> take = read_take(client, words.subspan(1));
  if (!take) return client.refuse(take.error());
  ask(client, *take, what, write_decision);
}

Expected<std::vector<Take>> read_takes(Client& client, Words words) {
  constexpr std::size_t kWordsOfTake = 3;
  const Expected<std::int64_t> count = read_number("count", words[0], 1);
  if (!count) return tl::unexpected{count.error()};
  const Words rest = words.subspan(1);
  if (rest.size() % kWordsOfTake != 0 ||
      static_cast<std::uint64_t>(*count) != rest.size() / kWordsOfTake)
    return error("count",
                 "expected as many times key limit cost as it says, " + std::to_string(*count));
  std::vector<Take> takes;
  for (std::size_t i = 0; i < rest.size(); i += kWordsOfTake) {
    Expected<Take> take = read_take(client, rest.subspan(i, kWordsOfTake));
    if (!take) return tl::unexpected{std::move(take).error()};
    takes.push_back(*take);
  }
  return takes;
}

}  // namespace

void rl_take(Client& client, Words words) {
  ask_one(client, words, Ask::kTake);
}

void rl_check(Client& client, Words words) {
  ask_one(client, words, Ask::kCheck);
}

void rl_mtake(Client& client, Words words) {
  const Expected<std::vector<Take>> takes = read_takes(client, words.subspan(1));
  if (!takes) return client.refuse(takes.error());
  ask(client, *takes, write_verdict);
}

void rl_give_back(Client& client, Words words) {
  constexpr std::size_t kMostWords = 5;
  if (words.size() > kMostWords)
    return client.refuse("ERR syntax: expected key limit cost [at_us] and nothing after it");
  const Expected<Take> take = read_take(client, words.subspan(1, 3));
  if (!take) return client.refuse(take.error());
  std::optional<Time> at;
  if (words.size() == kMostWords) {
    const Expected<std::int64_t> at_us = read_number("at_us", words[4], 0);
    if (!at_us) return client.refuse(at_us.error());
    at = clamp(Time{Duration{*at_us}});
  }
  give_back(client, take->key, take->limit, take->cost, at);
}

void rl_reset(Client& client, Words words) {
  reset(client, words[1]);
}

}  // namespace tidegate::frontend
