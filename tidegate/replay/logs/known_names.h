// The fields that every log has under one name or another, and what those names are: how `client`
// is found under ClientHost, remote_addr or "IP".
//
// Constants. Thread safety and cost: those of constants.
#pragma once

#include <span>
#include <string_view>

#include "tidegate/replay/logs/shape.h"

namespace tidegate::replay {

struct KnownName {
  std::string_view field;
  Shape shape;
  std::string_view places;  // with | between them, the most telling first; paths into JSON
};

// Of JSON. The time is among them.
std::span<const KnownName> known_names();

// Null if there is none of that name.
const KnownName* known_name(std::string_view field);

// Whether a column's name is one that the field goes by, whatever the case of its letters.
bool goes_by(const KnownName& known, std::string_view name);

}  // namespace tidegate::replay
