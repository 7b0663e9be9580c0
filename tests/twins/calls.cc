#include "tests/twins/calls.h"

#include <array>
#include <stdexcept>

#include "tidegate/store/redis/script.h"

namespace tidegate::test {
namespace {

constexpr std::array<std::string_view, kAlgorithms> kNames{
    "sliding_window", "sliding_window_counter", "fixed_window", "token_bucket"};

std::string text_of(Time t) {
  return std::to_string(t.time_since_epoch().count());
}

std::string_view word_for(Role role) {
  if (role == Role::kShadow) return "shadow";
  return role == Role::kQuota ? "quota" : "binding";
}

void append_take(Call& call, const Take& take, std::string_view layout) {
  const Limit& limit = take.limit;
  call.keys.push_back(layout.empty() ? name_of(take.key, limit) : std::string{take.key});
  for (const std::string_view word :
       {layout.empty() ? redis::form(limit) : layout, word_for(take.role)})
    call.arguments.emplace_back(word);
  for (const std::int64_t number :
       {take.cost, std::int64_t{limit.tokens()}, std::int64_t{limit.period().count()},
        std::int64_t{redis::option(limit)}})
    call.arguments.push_back(std::to_string(number));
}

}  // namespace

std::string name_of(std::string_view key, const Limit& limit) {
  return std::string{name(limit.algorithm())} + ":" + std::string{key};
}

Call call_of(const TakeOp& op, Time now, std::string_view layout) {
  Call call{{},
            {op.check_only ? "check" : "take", text_of(now),
             op.charge == Charge::kEach ? "each" : "all"}};
  for (const Take& take : op.takes) append_take(call, take, layout);
  return call;
}

Call call_of(const GiveBackOp& op, Time now, std::string_view layout) {
  Call call{{}, {"give_back", text_of(now), op.at ? text_of(*op.at) : ""}};
  append_take(call, {.key = op.key, .limit = op.limit, .cost = op.cost}, layout);
  return call;
}

Call call_to_reset(std::string_view key, std::string_view layout) {
  if (!layout.empty()) return {{std::string{key}}, {"reset"}};
  Call call{{}, {"reset"}};
  for (const std::string_view algorithm : kNames)
    call.keys.push_back(std::string{algorithm} + ":" + std::string{key});
  return call;
}

Verdict verdict_of(const RedisReply& reply, std::span<const Take> takes) {
  if (reply.elements.size() != 2 + 5 * takes.size()) throw std::runtime_error{reply.text};
  const auto number = [&](std::size_t i) { return reply.elements[i].integer; };
  Verdict verdict;
  verdict.allowed = number(0) == 1;
  verdict.binding = static_cast<std::size_t>(number(1));
  for (std::size_t i = 0; i < takes.size(); ++i) {
    const std::size_t at = 2 + 5 * i;
    verdict.decisions.push_back(
        {.at = Time{Duration{number(at + 4)}},
         .retry_after = number(at + 2) < 0 ? kNever : Duration{number(at + 2)},
         .reset_after = Duration{number(at + 3)},
         .capacity = takes[i].limit.capacity(),
         .remaining = static_cast<std::uint32_t>(number(at + 1)),
         .allowed = number(at) == 1});
  }
  return verdict;
}

Script::Script(RedisServer& redis) : redis_{redis} {
  const RedisReply loaded = redis.ask({"SCRIPT", "LOAD", redis::script_text()});
  if (loaded.text != redis::script_sha1()) throw std::runtime_error{"SHA1: " + loaded.text};
}

RedisReply Script::run(const Call& call) {
  const std::string keys = std::to_string(call.keys.size());
  std::vector<std::string_view> words{"EVALSHA", redis::script_sha1(), keys};
  words.insert(words.end(), call.keys.begin(), call.keys.end());
  words.insert(words.end(), call.arguments.begin(), call.arguments.end());
  return redis_.ask(words);
}

}  // namespace tidegate::test
