#include "tidegate/frontend/resp/rule_commands.h"

#include <memory>
#include <string>
#include <vector>

#include "tidegate/base/quote.h"
#include "tidegate/frontend/resp/command.h"
#include "tidegate/frontend/resp/decision_reply.h"
#include "tidegate/frontend/resp/late_reply.h"
#include "tidegate/frontend/resp/numbers.h"
#include "tidegate/frontend/rule_call.h"
#include "tidegate/frontend/rule_service.h"

namespace tidegate::frontend {
namespace {

// Of the descriptor whose take bound.
std::int64_t bound_descriptor(const RuleCall& call) {
  const auto descriptors = call.descriptors();
  for (std::size_t i = 0; i < descriptors.size(); ++i)
    if (call.take(descriptors[i]) != nullptr && descriptors[i].take == call.binding())
      return static_cast<std::int64_t>(i);
  return -1;
}

// A request whose answer may come after its connection has gone; it goes when it completes.
class AskedRules final : public RuleCall {
 public:
  explicit AskedRules(Client& client)
      : RuleCall{Protocol::kResp,
                 [](RuleCall& call) {
                   const std::unique_ptr<AskedRules> self{static_cast<AskedRules*>(&call)};
                   self->answer();
                 }},
        reply_{client} {}

 private:
  void answer() {
    reply_.make(problem(), [this](resp::ReplyWriter& to) {
      if (bound() == nullptr) return write_no_limit(to, reply_.loop().service().clock().now());
      write_bound(to, *bound(), allowed(), bound_descriptor(*this));
    });
  }

  LateReply reply_;
};

// The words of a request, read from the left.
class Reader {
 public:
  explicit Reader(Words words) : words_{words} { entries_.reserve(words.size() / 2); }

  Expected<rules::DescriptorRequest> read() {
    const std::string_view domain = next();
    const Expected<std::int64_t> count = read_number("descriptors", next(), 1);
    if (!count) return tl::unexpected{count.error()};
    if (*count > static_cast<std::int64_t>(kMaxTakes))
      return error("descriptors", "expected at most " + std::to_string(kMaxTakes) + ", not " +
                                      std::to_string(*count));
    for (std::int64_t i = 0; i < *count; ++i)
      if (auto read = read_descriptor(i); !read) return tl::unexpected{std::move(read).error()};
    const Expected<Cost> cost = read_cost();
    if (!cost) return tl::unexpected{cost.error()};
    return rules::DescriptorRequest{.domain = domain, .descriptors = descriptors_, .cost = *cost};
  }

 private:
  std::string_view next() {
    const std::string_view word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }

  Expected<void> read_descriptor(std::int64_t index) {
    const std::string name = "entries of descriptor " + std::to_string(index);
    if (words_.empty()) return error(name, "expected their number, then so many of key value");
    const Expected<std::int64_t> count = read_number(name, next(), 1);
    if (!count) return tl::unexpected{count.error()};
    if (static_cast<std::uint64_t>(*count) > words_.size() / 2)
      return error(name, "expected as many times key value as it says, " + std::to_string(*count));
    const std::size_t begin = entries_.size();
    for (std::int64_t i = 0; i < *count; ++i) {
      const std::string_view key = next();
      entries_.push_back({key, next()});
    }
    descriptors_.push_back({.entries = std::span{entries_}.subspan(begin)});
    return {};
  }

  // `[COST cost]`, and nothing after it.
  Expected<Cost> read_cost() {
    if (words_.empty()) return Cost{1};
    if (words_.size() == 2 && equal_ignoring_case(words_[0], "cost"))
      return read_number("cost", words_[1], 0);
    return error("syntax",
                 "expected COST cost or nothing after the descriptors, not " + quoted(words_[0]));
  }

  Words words_;
  std::vector<rules::DescriptorEntry> entries_;  // of all descriptors, whose spans must stay good
  std::vector<rules::Descriptor> descriptors_;
};

}  // namespace

void rl_rules(Client& client, Words words) {
  Reader reader{words.subspan(1)};
  const Expected<rules::DescriptorRequest> request = reader.read();
  if (!request) return client.refuse(request.error());
  client.loop.rules.ask(*request, *new AskedRules{client});  // it owns itself from here
}

}  // namespace tidegate::frontend
