// An operation as a call of the script, and its reply as the operation's answer: what script.h
// says, in C++.
//
// Thread safety: none; a ScriptCalls belongs to one connection. Cost: O(bytes of the keys); once it
// has grown, without allocation.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/base/clock.h"
#include "tidegate/store/redis/names.h"
#include "tidegate/store/store.h"
#include "tidegate/wire/resp_reply.h"

namespace tidegate::redis {

// By its name, or by the whole text when the server has forgotten that.
enum class By : std::uint8_t { kSha1, kText };

class ScriptCalls {
 public:
  // With a clock, Redis decides at its time; without one, at its own.
  explicit ScriptCalls(const Names& names, const Clock* clock = nullptr)
      : names_{names}, clock_{clock} {}

  void append(std::string& out, const TakeOp& op, By by);
  void append(std::string& out, const GiveBackOp& op, By by);
  void append(std::string& out, const ResetOp& op, By by);

 private:
  void begin(By by, std::size_t keys);
  void end(std::string& out);
  void word(std::string_view word);
  void number(std::int64_t number);
  void key(Algorithm algorithm, std::string_view key, Layout layout = Layout::kStoresChoice);
  void now();
  void take(const Take& take);

  const Names& names_;
  const Clock* clock_;
  std::string text_;               // of all words
  std::vector<std::size_t> ends_;  // of each
  std::vector<std::string_view> words_;
};

using Nodes = std::span<const resp::ReplyNode>;

// Sets the verdict. False when this is no reply to such a call.
bool read_reply(Nodes reply, TakeOp& op);
bool read_reply(Nodes reply, const GiveBackOp& op);
bool read_reply(Nodes reply, const ResetOp& op);

}  // namespace tidegate::redis
