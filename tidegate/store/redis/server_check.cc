#include "tidegate/store/redis/server_check.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "tidegate/base/quote.h"
#include "tidegate/store/redis/script_call.h"
#include "tidegate/wire/resp_request.h"

namespace tidegate::redis {
namespace {

using Type = resp::ReplyNode::Type;

constexpr std::string_view kProbe = "tidegate start-up check";

// The value of `name:` in what INFO says.
std::string_view fact(std::string_view info, std::string_view name) {
  while (!info.empty()) {
    const std::string_view line = info.substr(0, info.find('\n'));
    info.remove_prefix(std::min(line.size() + 1, info.size()));
    if (line.size() <= name.size() || !line.starts_with(name) || line[name.size()] != ':') continue;
    const std::string_view value = line.substr(name.size() + 1);
    return value.substr(0, value.find('\r'));
  }
  return {};
}

bool older_than_6_2(std::string_view version) {
  int major = 0;
  int minor = 0;
  const char* const end = version.data() + version.size();
  const auto [dot, problem] = std::from_chars(version.data(), end, major);
  if (problem != std::errc{} || dot == end) return false;
  std::from_chars(dot + 1, end, minor);
  return std::pair{major, minor} < std::pair{6, 2};
}

bool may_forget(std::string_view memory) {
  const std::string_view policy = fact(memory, "maxmemory_policy");
  const std::string_view most = fact(memory, "maxmemory");
  const bool bounded = !most.empty() && most != "0";
  return bounded && !policy.empty() && policy != "noeviction" && policy != "volatile-ttl";
}

}  // namespace

void ServerCheck::start(const RedisServerFacts& server) const {
  look_at(server);
  look_at_memory();
  try_script();
}

void ServerCheck::look_at(const RedisServerFacts& server) const {
  if (older_than_6_2(server.version))
    warn("it is " + server.name + " " + server.version + "; 6.2 or newer is needed");
  if (server.mode == "cluster")
    warn("it is a node of a cluster: keys of the other nodes are refused (MOVED)");
}

void ServerCheck::look_at_memory() const {
  std::string request;
  const std::string_view words[] = {"INFO", "memory"};
  resp::append_request(request, words);
  ask(std::move(request), [warn = warn](Expected<Nodes> reply) {
    if (!reply || !may_forget(reply->front().text)) return;
    warn("its maxmemory-policy is " + std::string{fact(reply->front().text, "maxmemory_policy")} +
         ": when its memory is full it forgets keys, and so forgives clients; noeviction or "
         "volatile-ttl do not forget those that are limited");
  });
}

// Takes from a key of each algorithm and resets it, so that every command is met.
void ServerCheck::try_script() const {
  ScriptCalls calls{names, decide_by};
  std::vector<Take> takes;
  for (const Algorithm algorithm : kEveryAlgorithm)
    takes.push_back(
        {.key = kProbe,
         .limit = *Limit::make(
             {.tokens = 10, .period = std::chrono::seconds{1}, .algorithm = algorithm})});
  std::string request;
  calls.append(request, TakeOp{.takes = takes}, By::kText);
  ask(std::move(request), [warn = warn](const Expected<Nodes>& reply) {
    if (reply && reply->front().type == Type::kError)
      warn("it refuses the script: " + quoted(reply->front().text));
  });
  request.clear();
  calls.append(request, ResetOp{.key = kProbe}, By::kSha1);
  ask(std::move(request), [](const Expected<Nodes>&) {});
}

}  // namespace tidegate::redis
