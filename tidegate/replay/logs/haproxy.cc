// HAProxy's HTTP and TCP logs, as syslog writes them: what is before the client is passed over.
//
//   Feb  6 12:14:14 host haproxy[7]: 10.0.1.2:33317 [06/Feb/2009:12:14:14.655] http-in
//     static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {a|b} {} "GET /index.html
//     HTTP/1.1"
#include <array>

#include "tidegate/replay/logs/columns.h"
#include "tidegate/replay/logs/forms.h"
#include "tidegate/replay/logs/time_text.h"

namespace tidegate::replay {
namespace {

enum Column : std::size_t {
  kClient,
  kTime,
  kFrontend,
  kBackend,
  kTimers,
  kStatus,
  kBytes,
  kRequest,
  kColumns
};

constexpr FieldOf kFields[] = {
    {"client", kClient, Shape::kAddress},    {"frontend", kFrontend, Shape::kText},
    {"backend", kBackend, Shape::kText},     {"request", kRequest, Shape::kText},
    {"method", kRequest, Shape::kMethod},    {"path", kRequest, Shape::kRequestPath},
    {"uri", kRequest, Shape::kRequestUri},   {"query", kRequest, Shape::kRequestQuery},
    {"host", kRequest, Shape::kRequestHost}, {"protocol", kRequest, Shape::kProtocol},
    {"status", kStatus, Shape::kText},       {"bytes", kBytes, Shape::kText},
    {"timers", kTimers, Shape::kText},       {"time", kTime, Shape::kText},
};

bool are_timers(std::string_view word) {
  return word.find('/') != std::string_view::npos &&
         word.find_first_not_of("0123456789+-/") == std::string_view::npos;
}

class Haproxy final : public Form {
 public:
  Haproxy(std::vector<Pick> picks, Time newest) : picks_{std::move(picks)}, times_{newest} {}

  const char* read(std::string_view line, Time& at, std::span<std::string_view> values) override {
    columns_.fill({});
    const std::size_t program = line.find("]: ");
    if (program != std::string_view::npos) line.remove_prefix(program + 3);
    take_word(line, columns_[kClient]);
    if (columns_[kClient].find(':') == std::string_view::npos) return "no client and port";
    if (!take_bracketed(line, columns_[kTime])) return "no time in brackets after the client";
    if (!times_.read(columns_[kTime], at)) return "no time in its brackets";
    for (const Column column : {kFrontend, kBackend, kTimers, kStatus, kBytes})
      if (!take_word(line, columns_[column])) return "fewer fields than HAProxy writes";
    if (!are_timers(columns_[kTimers])) return "no timers, as 0/0/7/1457/1487, where they must be";
    drop_status_of_tcp();
    take_request(line);
    give(picks_, columns_, values);
    return nullptr;
  }

  std::vector<std::string> field_names() const override { return names_of(kFields); }

 private:
  // A TCP log has its bytes where HTTP has a status: it then ends in two dashes and no number.
  void drop_status_of_tcp() {
    const std::string_view bytes = columns_[kBytes];
    if (bytes.find_first_not_of("+0123456789") == std::string_view::npos) return;
    columns_[kBytes] = columns_[kStatus];
    columns_[kStatus] = {};
  }

  // It is last. A quote within is written #22, but headers that were captured stand before it. It
  // is cut where the line is full.
  void take_request(std::string_view line) {
    const std::size_t quote = line.rfind(" \"");
    if (quote == std::string_view::npos) return;
    line.remove_prefix(quote + 2);
    columns_[kRequest] = line.substr(0, line.find('"'));
  }

  std::vector<Pick> picks_;
  TimeReader times_;
  std::array<std::string_view, kColumns> columns_;
};

}  // namespace

Expected<std::unique_ptr<Form>> make_haproxy(const FormOptions& options) {
  Expected<std::vector<Pick>> picks = picks_of(kFields, options.wanted, "haproxy");
  if (!picks) return tl::unexpected{std::move(picks).error()};
  return std::make_unique<Haproxy>(*std::move(picks), options.newest);
}

}  // namespace tidegate::replay
