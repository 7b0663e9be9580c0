#include "tests/twins/trace.h"

#include <stdexcept>
#include <string_view>

#include "tidegate/store/redis/script.h"

namespace tidegate::test {
namespace {

// KEYS and ARGV of the text within are the function's arguments.
constexpr std::string_view kBefore = "local function run(KEYS, ARGV)\n";
constexpr std::string_view kAfter = R"lua(
end
local replies, at = {}, 1
local function words()
  local list = {}
  for i = 1, tonumber(ARGV[at]) do list[i] = ARGV[at + i] end
  at = at + 1 + #list
  return list
end
while at <= #ARGV do
  local keys = words()
  replies[#replies + 1] = run(keys, words())
end
return replies
)lua";

void append(std::vector<std::string>& words, const std::vector<std::string>& list) {
  words.push_back(std::to_string(list.size()));
  words.insert(words.end(), list.begin(), list.end());
}

}  // namespace

TraceDriver::TraceDriver(RedisServer& redis) : redis_{redis} {
  const std::string text =
      std::string{kBefore} + std::string{redis::script_text()} + std::string{kAfter};
  const RedisReply loaded = redis.ask({"SCRIPT", "LOAD", text});
  if (loaded.error()) throw std::runtime_error{loaded.text};
  sha1_ = loaded.text;
}

std::vector<RedisReply> TraceDriver::run(const std::vector<Call>& calls) {
  std::vector<std::string> words{"EVALSHA", sha1_, "0"};
  for (const Call& call : calls) {
    append(words, call.keys);
    append(words, call.arguments);
  }
  const std::vector<std::string_view> views(words.begin(), words.end());
  RedisReply reply = redis_.ask(views);
  if (reply.error()) throw std::runtime_error{reply.text};
  return std::move(reply.elements);
}

}  // namespace tidegate::test
