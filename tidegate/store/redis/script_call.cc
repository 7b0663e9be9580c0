#include "tidegate/store/redis/script_call.h"

#include <charconv>
#include <limits>

#include "tidegate/store/redis/script.h"
#include "tidegate/wire/resp_request.h"

namespace tidegate::redis {
namespace {

using Type = resp::ReplyNode::Type;

constexpr std::string_view word_of(Role role) {
  constexpr std::string_view kWords[] = {"binding", "shadow", "quota"};
  return kWords[static_cast<std::size_t>(role)];
}

// Reads a row of integers from the left; `ok` goes when one is missing or out of its range.
class Integers {
 public:
  explicit Integers(Nodes nodes) : nodes_{nodes} {}

  std::int64_t next(std::int64_t least, std::int64_t most) {
    ok_ = ok_ && !nodes_.empty() && nodes_.front().type == Type::kInteger;
    if (!ok_) return 0;
    const std::int64_t value = nodes_.front().integer;
    nodes_ = nodes_.subspan(1);
    ok_ = value >= least && value <= most;
    return value;
  }
  bool boolean() { return next(0, 1) == 1; }
  Duration duration() { return Duration{next(0, std::numeric_limits<std::int64_t>::max())}; }
  Duration wait() {
    const std::int64_t value = next(-1, std::numeric_limits<std::int64_t>::max());
    return value < 0 ? kNever : Duration{value};
  }
  bool ok() const { return ok_; }

 private:
  Nodes nodes_;
  bool ok_ = true;
};

Decision read_decision(Integers& integers, const Limit& limit) {
  Decision decision{.capacity = limit.capacity()};
  decision.allowed = integers.boolean();
  decision.remaining = static_cast<std::uint32_t>(integers.next(0, limit.capacity()));
  decision.retry_after = integers.wait();
  decision.reset_after = integers.duration();
  decision.at = Time{integers.duration()};
  return decision;
}

}  // namespace

void ScriptCalls::begin(By by, std::size_t keys) {
  text_.clear();
  ends_.clear();
  word(by == By::kSha1 ? "EVALSHA" : "EVAL");
  word(by == By::kSha1 ? script_sha1() : script_text());
  number(static_cast<std::int64_t>(keys));
}

void ScriptCalls::end(std::string& out) {
  words_.clear();
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    words_.push_back(std::string_view{text_}.substr(begin, end - begin));
    begin = end;
  }
  resp::append_request(out, words_);
}

void ScriptCalls::word(std::string_view word) {
  text_ += word;
  ends_.push_back(text_.size());
}

void ScriptCalls::number(std::int64_t number) {
  char digits[24];
  const auto [end, problem] = std::to_chars(digits, digits + sizeof digits, number);
  word({digits, static_cast<std::size_t>(end - digits)});
}

void ScriptCalls::key(Algorithm algorithm, std::string_view key, Layout layout) {
  names_.append(text_, algorithm, key, layout);
  ends_.push_back(text_.size());
}

void ScriptCalls::now() {
  clock_ == nullptr ? word("") : number(clock_->now().time_since_epoch().count());
}

void ScriptCalls::take(const Take& take) {
  const Limit& limit = take.limit;
  word(names_.form(limit, take.layout));
  word(word_of(take.role));
  number(take.cost);
  number(limit.tokens());
  number(limit.period().count());
  number(option(limit));
}

void ScriptCalls::append(std::string& out, const TakeOp& op, By by) {
  begin(by, op.takes.size());
  for (const Take& take : op.takes) key(take.limit.algorithm(), take.key, take.layout);
  word(op.check_only ? "check" : "take");
  now();
  word(op.charge == Charge::kEach ? "each" : "all");
  for (const Take& each : op.takes) take(each);
  end(out);
}

void ScriptCalls::append(std::string& out, const GiveBackOp& op, By by) {
  begin(by, 1);
  key(op.limit.algorithm(), op.key);
  word("give_back");
  now();
  op.at ? number(op.at->time_since_epoch().count()) : word("");
  take({.key = op.key, .limit = op.limit, .cost = op.cost});
  end(out);
}

void ScriptCalls::append(std::string& out, const ResetOp& op, By by) {
  begin(by, kEveryAlgorithm.size());
  for (const Algorithm algorithm : kEveryAlgorithm) key(algorithm, op.key);
  word("reset");
  end(out);
}

bool read_reply(Nodes reply, TakeOp& op) {
  const std::size_t numbers = 2 + 5 * op.takes.size();
  if (reply.size() != numbers + 1 || reply.front().type != Type::kArray) return false;
  Integers integers{reply.subspan(1)};
  Verdict& verdict = op.verdict;
  verdict.degraded = false;
  verdict.allowed = integers.boolean();
  const auto last = static_cast<std::int64_t>(op.takes.size()) - 1;
  verdict.binding = static_cast<std::size_t>(integers.next(0, last));
  verdict.decisions.clear();
  for (const Take& take : op.takes)
    verdict.decisions.push_back(read_decision(integers, take.limit));
  return integers.ok();
}

bool read_reply(Nodes reply, const GiveBackOp&) {
  return reply.front().type == Type::kInteger;
}

bool read_reply(Nodes reply, const ResetOp&) {
  return reply.front().type == Type::kInteger;
}

}  // namespace tidegate::redis
