// The common and the combined form of Apache and nginx, and what people make of them: a virtual
// host or several addresses first, more quoted fields last, the whole line in quotes.
#include <array>
#include <cstring>

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
  if (word.starts_with("unix:") || word == "-") return true;
  const bool colon = word.find(':') != std::string_view::npos;
  return word.find_first_not_of(colon ? "0123456789abcdefABCDEF:.[]" : "0123456789.") ==
         std::string_view::npos;
}

class Combined final : public Form {
 public:
  Combined(std::vector<Pick> picks, Time newest) : picks_{std::move(picks)}, times_{newest} {
    for (const Pick& pick : picks_) last_ = std::max(last_, pick.column);
  }

  const char* read(std::string_view line, Time& at, std::span<std::string_view> values) override {
    if (line.empty()) return "an empty line";
    if (line.size() > 2 && line.front() == '"' && line.back() == '"') line = unquoted(line);
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
    const std::size_t bracket = line.find('[');
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
    if (head.empty() || head.find(' ') != std::string_view::npos) return false;
    columns_[kClient] = head;
    columns_[kUser] = "-";
    return true;
  }

  bool read_other_head(std::string_view head) {
    std::string_view first;
    if (!head.ends_with(' ') || !take_word(head, first)) return false;
    std::string_view second = head.substr(0, head.find(' '));
    if (!looks_like_address(first) && !first.ends_with(',') && looks_like_address(second) &&
        second != "-") {
      columns_[kHost] = first;
      take_word(head, first);
    }
    const char* const begin = first.data();
    while (first.ends_with(','))
      if (!take_word(head, first)) return false;
    columns_[kClient] = {begin, static_cast<std::size_t>(first.data() + first.size() - begin)};
    std::string_view ident;
    if (!take_word(head, ident) || head.size() < 2) return false;
    columns_[kUser] = head.substr(0, head.size() - 1);
    return true;
  }

  // `"request" status bytes `. A request may hold quotes that nobody escaped: it ends where a
  // status follows.
  const char* read_request(std::string_view& line) {
    if (!line.starts_with('"')) return "no request in quotes after the time";
    std::size_t end = 1;
    for (;; ++end) {
      const auto* quote =
          static_cast<const char*>(std::memchr(line.data() + end, '"', line.size() - end));
      if (quote == nullptr) return "no end of the request's quotes";
      end = static_cast<std::size_t>(quote - line.data());
      if (status_follows(line.substr(end + 1))) break;
    }
    columns_[kRequest] = line.substr(1, end - 1);
    line.remove_prefix(std::min(end + 2, line.size()));
    take_word(line, columns_[kStatus]);
    take_word(line, columns_[kBytes]);
    return nullptr;
  }

  static bool status_follows(std::string_view rest) {
    if (rest.size() < 2 || rest[0] != ' ') return false;
    if (rest[1] == '-') return rest.size() == 2 || rest[2] == ' ';
    const auto digit = [&](std::size_t i) { return rest[i] >= '0' && rest[i] <= '9'; };
    return rest.size() >= 4 && digit(1) && digit(2) && digit(3) &&
           (rest.size() == 4 || rest[4] == ' ');
  }

  void read_rest(std::string_view line) {
    for (const Column column : {kReferer, kAgent, kForwarded})
      if (!take_quoted(line, columns_[column])) return;
  }

  // A line within quotes has its own doubled.
  std::string_view unquoted(std::string_view line) {
    line = line.substr(1, line.size() - 2);
    unquoted_.clear();
    for (std::size_t i = 0; i < line.size(); ++i) {
      unquoted_ += line[i];
      if (line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"') ++i;
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
