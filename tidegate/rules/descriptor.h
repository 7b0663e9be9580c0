// What is asked of rules: lists of key and value, as a proxy derives them from a request.
//
//   const DescriptorEntry entries[] = {{"user", "42"}};
//   const Descriptor descriptors[] = {{.entries = entries}};
//   const DescriptorRequest request{.domain = "api", .descriptors = descriptors};
//
// Plain values that point at what they describe.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "tidegate/algorithm/decision.h"
#include "tidegate/algorithm/limit.h"

namespace tidegate::rules {

struct DescriptorEntry {
  std::string_view key;
  std::string_view value;

  bool operator==(const DescriptorEntry&) const = default;
};

struct Descriptor {
  std::span<const DescriptorEntry> entries;  // their order counts
  std::optional<Limit> limit = {};           // in place of what a rule says; needs no rule
  std::optional<Cost> cost = {};             // in place of the request's
};

struct DescriptorRequest {
  std::string_view domain;
  std::span<const Descriptor> descriptors;
  Cost cost = 1;
};

}  // namespace tidegate::rules
