// What a replay has to say, ready to be written: as text for a terminal, as JSON for programs, as a
// page for people (page.h).
//
// Plain values and pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tidegate/replay/demand.h"
#include "tidegate/replay/outcome.h"
#include "tidegate/replay/suggestion.h"
#include "tidegate/replay/trace.h"

namespace tidegate::replay {

// A key that a limit denied something, or that asked for much.
struct KeyLine {
  KeyId key;
  std::uint64_t requests;
  std::uint64_t denied;
  std::uint64_t peak;  // in the report's period
};

struct Report {
  const Trace& trace;
  std::string by;  // what makes a key: `client`
  Frame frame;
  Demand demand;                       // in the period of the suggestion, or of the first limit
  std::vector<Outcome> outcomes = {};  // one for each limit
  std::optional<Suggestion> suggestion = {};
};

// The keys that a limit denied most, most first.
std::vector<KeyLine> most_denied(const Report& report, const Outcome& outcome, std::size_t count);

std::string as_text(const Report& report);
std::string as_json(const Report& report);

// Other systems' words for a suggested limit.
struct Snippets {
  std::string rule;      // of a rule file of ours
  std::string nginx;     // limit_req
  std::string throttle;  // CL.THROTTLE
  std::string envoy;     // a descriptor of envoyproxy/ratelimit
};
Snippets snippets(std::uint64_t tokens, Duration period, const std::string& by);

}  // namespace tidegate::replay
