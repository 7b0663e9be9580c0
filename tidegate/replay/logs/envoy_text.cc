#include "tidegate/replay/logs/envoy_text.h"

#include "tidegate/replay/logs/columns.h"

namespace tidegate::replay {
namespace {

// In the order of a line.
enum Column : std::size_t {
  kTime = kEnvoyTime,
  kRequest,
  kStatus,
  kFlags,
  kReceived,
  kBytes,
  kDuration,
  kUpstreamTime,
  kForwarded,
  kAgent,
  kId,
  kHost,
  kUpstream,
  kColumns
};
static_assert(kColumns == kEnvoyColumns);

constexpr FieldOf kFields[] = {
    {"client", kForwarded, Shape::kAddress},
    {"first_client", kForwarded, Shape::kFirst},
    {"host", kHost, Shape::kHost},
    {"method", kRequest, Shape::kMethod},
    {"path", kRequest, Shape::kRequestPath},
    {"uri", kRequest, Shape::kRequestUri},
    {"query", kRequest, Shape::kRequestQuery},
    {"protocol", kRequest, Shape::kProtocol},
    {"status", kStatus, Shape::kText},
    {"bytes", kBytes, Shape::kText},
    {"agent", kAgent, Shape::kText},
    {"time", kTime, Shape::kText},
};

}  // namespace

std::span<const FieldOf> envoy_fields() {
  return kFields;
}

const char* split_envoy_text(std::string_view line, EnvoyColumns& columns) {
  columns.fill({});
  if (!take_bracketed(line, columns[kTime])) return "no time in brackets";
  if (!take_quoted(line, columns[kRequest])) return "no request in quotes after the time";
  for (std::size_t column = kStatus; column < kColumns && !line.empty(); ++column) {
    const bool quoted = line.starts_with('"');
    if (!(quoted ? take_quoted(line, columns[column]) : take_word(line, columns[column])))
      return "an empty field, or quotes that do not end";
  }
  return columns[kForwarded].empty() ? "fewer fields than Envoy writes" : nullptr;
}

}  // namespace tidegate::replay
