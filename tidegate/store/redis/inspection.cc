#include "tidegate/store/redis/inspection.h"

#include <algorithm>
#include <future>
#include <optional>
#include <span>
#include <utility>

#include "tidegate/base/quote.h"
#include "tidegate/store/redis/script.h"

namespace tidegate {
namespace {

using Nodes = std::span<const resp::ReplyNode>;
using Type = resp::ReplyNode::Type;
using redis::Names;

constexpr char kPageKeys[] = "500";  // that SCAN looks at in one call
constexpr Duration kPatience{std::chrono::seconds{5}};

Error not_understood() {
  return {"reply of the server", "is not that of the command"};
}

// The limit, remaining, reset_after and at of a key.
std::optional<KeyState> read_state(Nodes fields, const Names::Named& named) {
  if (fields.size() < 4 || fields[0].type != Type::kText || fields[1].type != Type::kInteger ||
      fields[2].type != Type::kInteger)
    return std::nullopt;
  const std::string text =
      std::string{fields[0].text} + " algorithm " + std::string{name(named.algorithm)};
  const Expected<Limit> limit = Limit::parse(text);
  if (!limit) return std::nullopt;
  return KeyState{.key = named.key,
                  .limit = *limit,
                  .remaining = static_cast<std::uint32_t>(fields[1].integer),
                  .reset_after = Duration{fields[2].integer}};
}

// Sorts one key's part of the reply into the page, and returns how many nodes it was.
std::size_t read_key(Nodes nodes, const Names::Named& named, InspectionPage& page) {
  const resp::ReplyNode& first = nodes.front();
  if (first.type == Type::kText)
    page.strangers.push_back({"key " + quoted(named.key), std::string{first.text}});
  if (first.type != Type::kArray) return 1;
  if (auto state = read_state(nodes.subspan(1), named)) page.states.push_back(*std::move(state));
  return std::min(1 + first.elements, nodes.size());
}

}  // namespace

Inspection::Inspection(RedisStore& store, std::string_view glob, const Clock& clock)
    : store_{store}, names_{store.options()}, pattern_{names_.pattern(glob)}, clock_{clock} {}

// Asks, waits, and has the reply read where it lies.
template <class T, class Read>
Expected<T> Inspection::ask(const std::vector<std::string>& words, Read read) {
  const auto answered = std::make_shared<std::promise<Expected<T>>>();
  store_.ask(words, clock_.now() + kPatience, [&, answered](const Expected<Nodes>& reply) {
    if (!reply) return answered->set_value(tl::unexpected{reply.error()});
    if (reply->front().type == Type::kError)
      return answered->set_value(
          error(place(store_.options()), "it refuses: " + quoted(reply->front().text)));
    answered->set_value(read(*reply));
  });
  return answered->get_future().get();
}

Expected<std::vector<std::string>> Inspection::scan() {
  return ask<std::vector<std::string>>({"SCAN", cursor_, "MATCH", pattern_, "COUNT", kPageKeys},
                                       [this](Nodes reply) -> Expected<std::vector<std::string>> {
                                         if (reply.size() < 3 || reply[1].type != Type::kText)
                                           return tl::unexpected{not_understood()};
                                         cursor_ = reply[1].text;
                                         std::vector<std::string> names;
                                         for (const resp::ReplyNode& node : reply.subspan(3))
                                           names.emplace_back(node.text);
                                         std::sort(names.begin(), names.end());
                                         names.erase(std::unique(names.begin(), names.end()),
                                                     names.end());
                                         return names;
                                       });
}

Expected<InspectionPage> Inspection::inspect(const std::vector<std::string>& names) {
  std::vector<Names::Named> keys;
  std::vector<std::string> forms;
  std::vector<std::string> words{"EVAL", std::string{redis::script_text()}, ""};
  for (const std::string& name : names) {
    std::optional<Names::Named> named = names_.parse(name);
    if (!named) continue;
    words.push_back(name);
    forms.emplace_back(tidegate::name(named->algorithm));
    keys.push_back(*std::move(named));
  }
  if (keys.empty()) return InspectionPage{};
  words[2] = std::to_string(keys.size());
  words.insert(words.end(), {"inspect", ""});
  words.insert(words.end(), forms.begin(), forms.end());
  return ask<InspectionPage>(words, [&](Nodes reply) -> Expected<InspectionPage> {
    InspectionPage page;
    Nodes rest = reply.subspan(1);
    for (const Names::Named& key : keys) {
      if (rest.empty()) return tl::unexpected{not_understood()};
      rest = rest.subspan(read_key(rest, key, page));
    }
    return page;
  });
}

Expected<InspectionPage> Inspection::next() {
  return scan()
      .and_then([&](const std::vector<std::string>& names) { return inspect(names); })
      .map([&](InspectionPage page) {
        page.last = cursor_ == "0";
        return page;
      });
}

}  // namespace tidegate
