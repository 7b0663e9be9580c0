#include "tidegate/replay/read/combined.h"

#include <algorithm>
#include <cstring>

#include "tidegate/replay/read/quotes.h"

namespace tidegate::replay {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

constexpr Column kAddresses = 1;
constexpr Column kHostName = 2;
constexpr Column kIdent = 3;
constexpr Column kUser = 4;
constexpr Column kRequest = 5;  // the head ends before it
constexpr Column kStatus = 6;
constexpr Column kBytes = 7;
constexpr Column kReferer = 8;
constexpr Column kAgent = 9;
constexpr Column kForwarded = 10;
constexpr std::size_t kColumns = 11;

constexpr std::size_t kUsualTime = 26;  // 10/Oct/2000:13:55:36 -0700

bool looks_like_time(std::string_view text) {
  return text.size() >= 20 && text.size() <= kMaxTimeText && text[2] == '/' && text[6] == '/' &&
         text[11] == ':';
}

bool looks_like_address(std::string_view token) {
  return token.find_first_of(".:") != kNone;
}

// The next word, and the text moved past it and one blank.
std::string_view next_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

// "a, b, c": as many words as end in a comma, and one more.
std::string_view next_addresses(std::string_view& text) {
  const char* begin = text.data();
  std::string_view word = next_word(text);
  while (!word.empty() && word.back() == ',' && !text.empty()) word = next_word(text);
  return {begin, static_cast<std::size_t>(word.data() + word.size() - begin)};
}

// What precedes the time: [host] addresses ident user. Nearly every server writes "-" for the
// ident, so a second word that is none and looks like an address makes the first a host.
Problem split_names(std::string_view text, CombinedHead& head) {
  std::string_view rest = text;
  head.addresses = next_addresses(rest);
  const std::string_view second = rest.substr(0, rest.find(' '));
  if (second != "-" && looks_like_address(second) &&
      std::count(rest.begin(), rest.end(), ' ') >= 2) {
    head.host = head.addresses;
    head.addresses = next_addresses(rest);
  }
  head.ident = next_word(rest);
  head.user = rest;
  if (head.addresses.empty()) return "it does not begin with a client";
  if (head.ident.empty() || head.user.empty()) return "between client and time, - - is missing";
  return nullptr;
}

// The brackets that hold a time; a user's name may hold others.
std::size_t find_time(std::string_view line) {
  std::size_t at = line.find(" [");
  for (; at != kNone; at = line.find(" [", at + 1)) {
    const std::string_view rest = line.substr(at + 2, kMaxTimeText + 1);
    const std::size_t close = rest.find(']');
    if (close != kNone && looks_like_time(rest.substr(0, close))) break;
  }
  return at;
}

// From `"request" 200 2326 "referer" "agent" "more"` on.
void split_tail(const CombinedHead& head, Column last, std::span<std::string_view> columns) {
  QuotedWords words{head.rest, head.doubled};
  columns[kRequest] = words.next_request();
  for (Column column = kStatus; column <= last; ++column) columns[column] = words.next();
}

class CombinedSplitter : public Splitter {
 public:
  explicit CombinedSplitter(Column last) : last_{last} {}

  Problem split(std::string_view line, std::span<std::string_view> columns) override {
    CombinedHead head;
    if (!split_usual_head(line, head))
      if (const Problem problem = split_head(line, head)) return problem;
    columns[kTimeColumn] = head.time;
    columns[kAddresses] = head.addresses;
    columns[kHostName] = head.host;
    columns[kIdent] = head.ident;
    columns[kUser] = head.user;
    if (last_ >= kRequest) split_tail(head, last_, columns);
    return nullptr;
  }

 private:
  Column last_;  // that is needed
};

}  // namespace

bool split_usual_head(std::string_view line, CombinedHead& head) {
  constexpr std::string_view kDashes = " - - [";
  constexpr std::string_view kRequestBegins = "] \"";
  constexpr std::size_t kAfterClient = kDashes.size() + kUsualTime + kRequestBegins.size();
  const std::size_t client = line.find(' ');
  if (client == kNone || client == 0 || line.size() - client < kAfterClient) return false;
  const char* dashes = line.data() + client;
  const char* time = dashes + kDashes.size();
  const char* end = time + kUsualTime;
  if (std::memcmp(dashes, kDashes.data(), kDashes.size()) != 0 ||
      std::memcmp(end, kRequestBegins.data(), kRequestBegins.size()) != 0 || line[0] == '"' ||
      dashes[-1] == ',' || !looks_like_time({time, kUsualTime}))
    return false;
  head.addresses = line.substr(0, client);
  head.ident = {dashes + 1, 1};
  head.user = {dashes + 3, 1};
  head.time = {time, kUsualTime};
  head.rest = line.substr(client + kAfterClient - 1);
  return true;
}

Problem split_head(std::string_view line, CombinedHead& head) {
  const bool in_quotes = line.starts_with('"');
  if (in_quotes) line.remove_prefix(1);
  if (in_quotes && line.ends_with('"')) line.remove_suffix(1);
  const std::size_t open = find_time(line);
  if (open == kNone) return "it holds no time in brackets";
  if (const Problem problem = split_names(line.substr(0, open), head)) return problem;
  const std::size_t close = line.find(']', open);
  head.time = line.substr(open + 2, close - open - 2);
  head.rest = line.substr(close + 1);
  if (!head.rest.starts_with(" \"")) return "no request in quotes follows its time";
  head.rest.remove_prefix(1);
  head.doubled = in_quotes && head.rest.starts_with("\"\"") && !head.rest.starts_with("\"\" ");
  return nullptr;
}

Form combined_form() {
  return {.name = "combined",
          .columns = std::vector<std::string>(kColumns),
          .fields = {{"client", kAddresses, Shape::kAddress},
                     {"first_client", kAddresses, Shape::kFirst},
                     {"addresses", kAddresses, Shape::kText},
                     {"host", kHostName, Shape::kHost},
                     {"ident", kIdent, Shape::kText},
                     {"user", kUser, Shape::kText},
                     {"request", kRequest, Shape::kText},
                     {"method", kRequest, Shape::kRequestMethod},
                     {"path", kRequest, Shape::kRequestPath},
                     {"uri", kRequest, Shape::kRequestUri},
                     {"query", kRequest, Shape::kRequestQuery},
                     {"protocol", kRequest, Shape::kProtocol},
                     {"status", kStatus, Shape::kText},
                     {"bytes", kBytes, Shape::kText},
                     {"referer", kReferer, Shape::kText},
                     {"agent", kAgent, Shape::kText},
                     {"x_forwarded_for", kForwarded, Shape::kText}},
          .required = std::nullopt,
          .make_splitter = [](const Form&,
                              std::span<const Column> needed) -> std::unique_ptr<Splitter> {
            return std::make_unique<CombinedSplitter>(needed.back());
          }};
}

}  // namespace tidegate::replay
