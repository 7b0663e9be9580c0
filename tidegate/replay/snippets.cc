#include <numeric>

#include "tidegate/replay/report.h"

namespace tidegate::replay {
namespace {

using namespace std::chrono_literals;

std::string period_text(Duration period) {
  const Expected<Limit> limit = Limit::make({.tokens = 1, .period = period});
  const std::string text = limit ? limit->to_string() : "1/1us";
  return text.substr(text.find('/') + 1);
}

// nginx knows requests a second and a minute alone, in whole numbers.
std::string nginx_rate(std::uint64_t tokens, Duration period) {
  const double a_second = static_cast<double>(tokens) * 1e6 / static_cast<double>(period.count());
  const double a_minute = a_second * 60;
  if (a_second >= 1 && a_second == static_cast<double>(static_cast<std::uint64_t>(a_second)))
    return std::to_string(static_cast<std::uint64_t>(a_second)) + "r/s";
  return std::to_string(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(a_minute + 0.5))) +
         "r/m";
}

std::string nginx(std::uint64_t tokens, Duration period) {
  return "limit_req_zone $binary_remote_addr zone=clients:10m rate=" + nginx_rate(tokens, period) +
         ";\nlimit_req zone=clients burst=" + std::to_string(tokens - 1) + " nodelay;";
}

std::string throttle(std::uint64_t tokens, Duration period) {
  const std::int64_t seconds = std::max<std::int64_t>(1, (period + 1s - 1us) / 1s);
  return "CL.THROTTLE key " + std::to_string(tokens - 1) + " " + std::to_string(tokens) + " " +
         std::to_string(seconds);
}

struct Unit {
  const char* name;
  Duration length;
};
constexpr Unit kUnits[] = {{"second", 1s}, {"minute", 1min}, {"hour", 1h}, {"day", 24h}};

// The rate in the longest unit that is not above the period, so that the least is rounded.
std::string envoy(std::uint64_t tokens, Duration period, const std::string& by) {
  Unit unit = kUnits[0];
  for (const Unit& next : kUnits)
    if (next.length <= period) unit = next;
  const double requests = static_cast<double>(tokens) * static_cast<double>(unit.length.count()) /
                          static_cast<double>(period.count());
  const auto whole = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(requests + 0.5));
  return "domain: api\ndescriptors:\n  - key: " + by +
         "\n    rate_limit:\n      unit: " + unit.name +
         "\n      requests_per_unit: " + std::to_string(whole);
}

}  // namespace

Snippets snippets(std::uint64_t tokens, Duration period, const std::string& by) {
  const std::string limit = std::to_string(tokens) + "/" + period_text(period);
  return {.rule = "domain: api\ndescriptors:\n  - key: " + by +
                  "\n    rate_limit:\n      limit: " + limit,
          .nginx = nginx(tokens, period),
          .throttle = throttle(tokens, period),
          .envoy = envoy(tokens, period, by)};
}

}  // namespace tidegate::replay
