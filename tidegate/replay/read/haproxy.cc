#include <algorithm>

#include "tidegate/replay/read/quotes.h"
#include "tidegate/replay/read/words_form.h"

namespace tidegate::replay {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

constexpr Column kClient = 1;
constexpr Column kFrontend = 2;
constexpr Column kBackend = 3;
constexpr Column kServer = 4;
constexpr Column kStatus = 5;
constexpr Column kBytes = 6;
constexpr Column kRequest = 7;
constexpr std::size_t kColumns = 8;

// Where the client begins that stands before a time in brackets.
std::size_t client_before(std::string_view line, std::size_t bracket) {
  const std::size_t blank = bracket == 0 ? kNone : line.rfind(' ', bracket - 1);
  return blank == kNone ? 0 : blank + 1;
}

// HAProxy writes a quote within a request as #22, and before it only captured headers, in braces;
// so a request begins at the last quote that a blank precedes. A long line is cut by syslog.
std::string_view find_request(std::string_view line) {
  const std::size_t open = line.rfind(" \"");
  if (open == kNone) return {};
  const std::string_view request = line.substr(open + 2);
  return request.substr(0, request.find('"'));
}

bool is_status(std::string_view word) {
  return word == "-1" || (word.size() == 3 && std::all_of(word.begin(), word.end(), [](char c) {
                            return c >= '0' && c <= '9';
                          }));
}

// In the order of the line; false if it is of a connection, or of something else.
bool split_words(std::string_view text, std::span<std::string_view> columns) {
  QuotedWords words{text};
  columns[kFrontend] = words.next();
  const std::string_view backend = words.next();
  const std::string_view timers = words.next();
  columns[kStatus] = words.next();
  columns[kBytes] = words.next();
  const std::size_t slash = std::min(backend.find('/'), backend.size());
  columns[kBackend] = backend.substr(0, slash);
  columns[kServer] = backend.substr(std::min(slash + 1, backend.size()));
  return std::count(timers.begin(), timers.end(), '/') == 4 && is_status(columns[kStatus]);
}

class HaproxySplitter : public Splitter {
 public:
  Problem split(std::string_view line, std::span<std::string_view> columns) override {
    const std::size_t bracket = line.find(" [");
    if (bracket == kNone) return "it holds no client and time in brackets";
    const std::size_t close = line.find("] ", bracket);
    if (close == kNone) return "its brackets do not close";
    const std::size_t client = client_before(line, bracket);
    columns[kClient] = line.substr(client, bracket - client);
    columns[kTimeColumn] = line.substr(bracket + 2, close - bracket - 2);
    const std::string_view rest = line.substr(close + 2);
    if (!split_words(rest, columns)) return "timers and a status do not follow its time";
    columns[kRequest] = find_request(rest);
    return nullptr;
  }
};

}  // namespace

Form haproxy_form() {
  return {.name = "haproxy",
          .columns = std::vector<std::string>(kColumns),
          .fields = {{"client", kClient, Shape::kAddress},
                     {"frontend", kFrontend, Shape::kText},
                     {"backend", kBackend, Shape::kText},
                     {"server", kServer, Shape::kText},
                     {"request", kRequest, Shape::kText},
                     {"method", kRequest, Shape::kRequestMethod},
                     {"path", kRequest, Shape::kRequestPath},
                     {"uri", kRequest, Shape::kRequestUri},
                     {"query", kRequest, Shape::kRequestQuery},
                     {"host", kRequest, Shape::kRequestHost},
                     {"protocol", kRequest, Shape::kProtocol},
                     {"status", kStatus, Shape::kText},
                     {"bytes", kBytes, Shape::kText}},
          .required = kClient,
          .make_splitter = [](const Form&, std::span<const Column>) -> std::unique_ptr<Splitter> {
            return std::make_unique<HaproxySplitter>();
          }};
}

}  // namespace tidegate::replay
