#include "tidegate/frontend/resp/throttle.h"

#include <array>

#include "tidegate/base/quote.h"
#include "tidegate/frontend/resp/ask.h"
#include "tidegate/frontend/resp/numbers.h"

namespace tidegate::frontend {
namespace {

constexpr Duration kSecond = std::chrono::seconds{1};
constexpr std::array<std::string_view, 4> kNames = {"max_burst", "count", "period", "quantity"};
using Numbers = std::array<std::int64_t, kNames.size()>;

Expected<Numbers> read(Words arguments) {
  Numbers numbers{0, 0, 0, 1};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::optional<std::int64_t> number = read_integer(arguments[i]);
    if (!number)
      return error(std::string{kNames[i]},
                   "expected an integer of 64 bits, not " + quoted(arguments[i]));
    numbers[i] = *number;
  }
  if (numbers[3] < 0)
    return error("quantity", "expected 0 or more, not " + std::to_string(numbers[3]) +
                                 "; RL.GIVEBACK gives back");
  return numbers;
}

void write(resp::ReplyWriter& reply, const Decision& decision) {
  const std::int64_t retry_after =
      decision.allowed ? -1 : rounded_up(decision.retry_after, kSecond);
  reply.array(5)
      .integer(decision.allowed ? 0 : 1)
      .integer(decision.capacity)
      .integer(decision.remaining)
      .integer(retry_after)
      .integer(rounded_up(decision.reset_after, kSecond));
}

}  // namespace

void throttle(Client& client, Words words) {
  constexpr std::size_t kMostWords = 6;
  if (words.size() > kMostWords)
    return client.refuse("ERR wrong number of arguments for 'cl.throttle' command");
  const Expected<Numbers> numbers = read(words.subspan(2));
  if (!numbers) return client.refuse(numbers.error());
  const auto& [max_burst, count, period, quantity] = *numbers;
  const Expected<Limit> limit = client.loop.limits.make({max_burst, count, period});
  if (!limit) return client.refuse(limit.error());
  ask(client, {.key = words[1], .limit = *limit, .cost = quantity}, Ask::kTake, write);
}

}  // namespace tidegate::frontend
