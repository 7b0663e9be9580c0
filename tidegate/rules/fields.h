// Maps of known keys: a table says for each key how its value is read and where it goes.
//
// What is written as `null` counts as left out, as in what other programs dump. Thread safety:
// pure, but for the report. Cost: linear in the table for each key.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidegate/base/quote.h"
#include "tidegate/rules/nearest.h"
#include "tidegate/rules/report.h"
#include "tidegate/rules/yaml.h"

namespace tidegate::rules {

template <class Target>
struct Field {
  std::string_view name;
  void (*read)(const yaml::Node& value, Target& into, Report& report);
};

// What is wrong with an unknown key; names the map that it would belong to.
std::string unknown_key(std::string_view key, std::span<const std::string_view> known);

// False, and a mistake, when the key is not known.
template <class Target>
bool read_field(const yaml::Entry& entry, std::span<const Field<Target>> fields, Target& into,
                Report& report) {
  for (const Field<Target>& field : fields) {
    if (field.name != entry.key.text) continue;
    if (!entry.value.is_null()) field.read(entry.value, into, report);
    return true;
  }
  std::vector<std::string_view> known;
  for (const Field<Target>& field : fields) known.push_back(field.name);
  report.mistake(entry.key.mark, unknown_key(entry.key.text, known));
  return false;
}

// Reads a map; anything else is a mistake, and `what` says what was expected. False when it is
// none, or one with an unknown key: then nothing can be said of keys that it lacks.
template <class Target>
bool read_map(const yaml::Node& map, std::string_view what, std::span<const Field<Target>> fields,
              Target& into, Report& report) {
  if (!map.is_map()) {
    report.mistake(map.mark, "expected " + std::string{what} + ", found " + yaml::describe(map));
    return false;
  }
  bool known = true;
  for (const yaml::Entry& entry : map.entries)
    known = read_field(entry, fields, into, report) && known;
  return known;
}

// The items of a list; none, and a mistake, when it is none.
std::span<const yaml::Node> items(const yaml::Node& list, std::string_view what, Report& report);

// Scalars. A mistake leaves `into` as it is.
void read_text(const yaml::Node& node, std::string& into, Report& report);
void read_truth(const yaml::Node& node, bool& into, Report& report);

}  // namespace tidegate::rules
