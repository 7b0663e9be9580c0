// The access log of an AWS application load balancer: fields by position, as its manual lists them.
#include <algorithm>
#include <array>
#include <iterator>

#include "tidegate/replay/logs/columns.h"
#include "tidegate/replay/logs/forms.h"
#include "tidegate/replay/logs/time_text.h"

namespace tidegate::replay {
namespace {

enum Column : std::size_t {
  kType,
  kTime,
  kBalancer,
  kClient,
  kTarget,
  kRequestTime,
  kTargetTime,
  kResponseTime,
  kStatus,
  kTargetStatus,
  kReceived,
  kBytes,
  kRequest,
  kAgent,
  kCipher,
  kTls,
  kGroup,
  kTrace,
  kHost,
  kColumns
};

constexpr FieldOf kFields[] = {
    {"client", kClient, Shape::kAddress},
    {"host", kRequest, Shape::kRequestHost},
    {"request", kRequest, Shape::kText},
    {"method", kRequest, Shape::kMethod},
    {"path", kRequest, Shape::kRequestPath},
    {"uri", kRequest, Shape::kRequestUri},
    {"query", kRequest, Shape::kRequestQuery},
    {"protocol", kRequest, Shape::kProtocol},
    {"status", kStatus, Shape::kText},
    {"target_status", kTargetStatus, Shape::kText},
    {"bytes", kBytes, Shape::kText},
    {"received", kReceived, Shape::kText},
    {"agent", kAgent, Shape::kText},
    {"target", kTarget, Shape::kText},
    {"group", kGroup, Shape::kText},
    {"type", kType, Shape::kText},
    {"time", kTime, Shape::kText},
};

bool is_listener(std::string_view type) {
  constexpr std::string_view kTypes[] = {"http", "https", "h2", "grpcs", "ws", "wss"};
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

class Alb final : public Form {
 public:
  Alb(std::vector<Pick> picks, Time newest) : picks_{std::move(picks)}, times_{newest} {}

  const char* read(std::string_view line, Time& at, std::span<std::string_view> values) override {
    columns_.fill({});
    std::size_t column = 0;
    for (; column < kColumns && !line.empty(); ++column) {
      const bool quoted = line.starts_with('"');
      if (!(quoted ? take_quoted(line, columns_[column]) : take_word(line, columns_[column])))
        return "an empty field, or quotes that do not end";
    }
    if (!is_listener(columns_[kType])) return "its first word is no type of listener";
    if (column <= kRequest) return "fewer fields than a load balancer writes";
    if (!times_.read(columns_[kTime], at)) return "no time in its second field";
    give(picks_, columns_, values);
    return nullptr;
  }

  std::vector<std::string> field_names() const override { return names_of(kFields); }

 private:
  std::vector<Pick> picks_;
  TimeReader times_;
  std::array<std::string_view, kColumns> columns_;
};

}  // namespace

Expected<std::unique_ptr<Form>> make_alb(const FormOptions& options) {
  Expected<std::vector<Pick>> picks = picks_of(kFields, options.wanted, "alb");
  if (!picks) return tl::unexpected{std::move(picks).error()};
  return std::make_unique<Alb>(*std::move(picks), options.newest);
}

}  // namespace tidegate::replay
