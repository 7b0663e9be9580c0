// The common and the combined form of Apache and nginx, and what people make of them: a virtual
// host or several addresses first, more quoted fields last, the whole line in quotes.
#include <algorithm>
#include <array>

#include "tidegate/replay/logs/columns.h"
#include "tidegate/replay/logs/forms.h"
#include "tidegate/replay/logs/time_text.h"

namespace tidegate::replay {
namespace {

enum Column : std::size_t {
  kHost,
  kClient,
  kUser,
  kTime,
  kRequest,
  kStatus,
  kBytes,
  kReferer,
  kAgent,
  kForwarded,
  kColumns
};

constexpr FieldOf kFields[] = {
    {"client", kClient, Shape::kAddress},
    {"first_client", kClient, Shape::kFirst},
    {"user", kUser, Shape::kText},
    {"host", kHost, Shape::kHost},
    {"request", kRequest, Shape::kText},
    {"method", kRequest, Shape::kMethod},
    {"path", kRequest, Shape::kRequestPath},
    {"uri", kRequest, Shape::kRequestUri},
    {"query", kRequest, Shape::kRequestQuery},
    {"protocol", kRequest, Shape::kProtocol},
    {"status", kStatus, Shape::kText},
    {"bytes", kBytes, Shape::kText},
    {"referer", kReferer, Shape::kText},
    {"agent", kAgent, Shape::kText},
    {"forwarded", kForwarded, Shape::kFirst},
    {"time", kTime, Shape::kText},
};

bool looks_like_address(std::string_view word) {
  return word.find_first_of(".:") != std::string_view::npos;
}

// Where the brackets open that hold a time; those of an address or of a user's name do not.
std::size_t find_time(std::string_view line) {
  std::size_t at = line.find(" [");
  for (; at != std::string_view::npos; at = line.find(" [", at + 1)) {
    const std::string_view text = line.substr(at + 2, kMaxTimeText + 1);
    const std::size_t close = text.find(']');
    if (close != std::string_view::npos && close > 11 && text[2] == '/' && text[11] == ':')
      return at + 1;
  }
  return at;
}

class Combined final : public Form {
 public:
  Combined(std::vector<Pick> picks, Time newest) : picks_{std::move(picks)}, times_{newest} {
    for (const Pick& pick : picks_) last_ = std::max(last_, pick.column);
  }

  const char* read(std::string_view line, Time& at, std::span<std::string_view> values) override {
    if (line.empty()) return "an empty line";
    if (line.front() == '"') line = unquoted(line);
    columns_.fill({});
    if (const char* problem = read_head(line)) return problem;
    if (!times_.read(columns_[kTime], at)) return "no time in its brackets";
    if (const char* problem = read_request(line)) return problem;
    if (last_ > kBytes) read_rest(line);
    give(picks_, columns_, values);
    return nullptr;
  }

  std::vector<std::string> field_names() const override { return names_of(kFields); }

 private:
  // `client ident user [time] `; moves past it.
  const char* read_head(std::string_view& line) {
    const std::size_t bracket = find_time(line);
    if (bracket == std::string_view::npos) return "no time in brackets";
    const std::string_view head = line.substr(0, bracket);
    if (!read_plain_head(head) && !read_other_head(head))
      return "expected a client, two more words and a time in brackets";
    line.remove_prefix(bracket);
    if (!take_bracketed(line, columns_[kTime])) return "no end of the time in brackets";
    return nullptr;
  }

  // As nearly all are: `203.0.113.9 - - `.
  bool read_plain_head(std::string_view head) {
    constexpr std::string_view kRest = " - - ";
    if (!head.ends_with(kRest)) return false;
    head.remove_suffix(kRest.size());
    if (head.empty() || head.find(' ') != std::string_view::npos || head.back() == ',')
      return false;
    columns_[kClient] = head;
    columns_[kUser] = "-";
    return true;
  }

  // `host client ident user `, the host perhaps, the client perhaps several, the user of any words.
  // Nearly every server writes a dash for the ident: where there is none but what looks like an
  // address, the word before it is a host.
  bool read_other_head(std::string_view head) {
    if (!head.ends_with(' ')) return false;
    if (!take_addresses(head, columns_[kClient])) return false;
    const std::string_view second = head.substr(0, head.find(' '));
    if (second != "-" && looks_like_address(second) &&
        std::count(head.begin(), head.end(), ' ') >= 3) {
      columns_[kHost] = columns_[kClient];
      if (!take_addresses(head, columns_[kClient])) return false;
    }
    std::string_view ident;
    if (!take_word(head, ident) || head.size() < 2) return false;
    columns_[kUser] = head.substr(0, head.size() - 1);
    return true;
  }

  // As many words as end in a comma, and one more.
  static bool take_addresses(std::string_view& head, std::string_view& addresses) {
    const char* const begin = head.data();
    std::string_view word;
    do {
      if (!take_word(head, word)) return false;
    } while (word.ends_with(','));
    addresses = {begin, static_cast<std::size_t>(word.data() + word.size() - begin)};
    return true;
  }

  // `"request" status bytes `. A request may hold quotes that nobody escaped: it ends where a
  // status follows. If none does, the line is cut off or worse, but it is of a request.
  const char* read_request(std::string_view& line) {
    if (!line.starts_with('"')) return "no request in quotes after the time";
    std::size_t end = line.find('"', 1);
    while (end != std::string_view::npos && !status_follows(line.substr(end + 1)))
      end = line.find('"', end + 1);
    if (end == std::string_view::npos) end = first_quote(line.substr(1)) + 1;
    columns_[kRequest] = line.substr(1, end - 1);
    line.remove_prefix(std::min(end + 2, line.size()));
    take_word(line, columns_[kStatus]);
    take_word(line, columns_[kBytes]);
    return nullptr;
  }

  // That is not escaped; or the size.
  static std::size_t first_quote(std::string_view text) {
    std::size_t at = text.find('"');
    while (at != std::string_view::npos && is_escaped(text, at)) at = text.find('"', at + 1);
    return std::min(at, text.size());
  }

  static bool status_follows(std::string_view rest) {
    if (rest.size() < 2 || rest[0] != ' ') return false;
    if (rest[1] == '-') return rest.size() == 2 || rest[2] == ' ';
    const auto digit = [&](std::size_t i) { return rest[i] >= '0' && rest[i] <= '9'; };
    return rest.size() >= 4 && digit(1) && digit(2) && digit(3) &&
           (rest.size() == 4 || rest[4] == ' ');
  }

  // The last may be cut off.
  void read_rest(std::string_view line) {
    for (const Column column : {kReferer, kAgent, kForwarded}) {
      const bool quoted = line.starts_with('"');
      if (quoted ? take_quoted(line, columns_[column]) : take_word(line, columns_[column]))
        continue;
      if (quoted) columns_[column] = line.substr(1);
      return;
    }
  }

  // Lines in quotes come from tables, where quotes within are doubled, or not.
  std::string_view unquoted(std::string_view line) {
    line.remove_prefix(1);
    if (line.ends_with('"')) line.remove_suffix(1);
    const std::size_t request = line.find("] \"");
    const bool doubled = request != std::string_view::npos &&
                         line.substr(request + 2).starts_with("\"\"") &&
                         !line.substr(request + 2).starts_with("\"\" ");
    if (!doubled) return line;
    unquoted_.clear();
    for (std::size_t i = 0; i < line.size(); ++i) {
      unquoted_ += line[i];
      if (line.substr(i).starts_with("\"\"")) ++i;
    }
    return unquoted_;
  }

  std::vector<Pick> picks_;
  std::size_t last_ = 0;
  TimeReader times_;
  std::array<std::string_view, kColumns> columns_;
  std::string unquoted_;
};

}  // namespace

Expected<std::unique_ptr<Form>> make_combined(const FormOptions& options) {
  Expected<std::vector<Pick>> picks = picks_of(kFields, options.wanted, "combined");
  if (!picks) return tl::unexpected{std::move(picks).error()};
  return std::make_unique<Combined>(*std::move(picks), options.newest);
}

}  // namespace tidegate::replay
