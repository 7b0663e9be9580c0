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

template <class Target>
void read_field(const yaml::Entry& entry, std::span<const Field<Target>> fields, Target& into,
                Report& report) {
  for (const Field<Target>& field : fields) {
    if (field.name != entry.key.text) continue;
    if (!entry.value.is_null()) field.read(entry.value, into, report);
    return;
  }
  std::vector<std::string_view> known;
  for (const Field<Target>& field : fields) known.push_back(field.name);
  report.mistake(entry.key.mark, unknown_key(entry.key.text, known));
}

// Reads a map; anything else is a mistake, and `what` says what was expected.
template <class Target>
void read_map(const yaml::Node& map, std::string_view what, std::span<const Field<Target>> fields,
              Target& into, Report& report) {
  if (!map.is_map())
    return report.mistake(map.mark,
                          "expected " + std::string{what} + ", found " + yaml::describe(map));
  for (const yaml::Entry& entry : map.entries) read_field(entry, fields, into, report);
}

// The items of a list; none, and a mistake, when it is none.
std::span<const yaml::Node> items(const yaml::Node& list, std::string_view what, Report& report);

// Scalars. A mistake leaves `into` as it is.
void read_text(const yaml::Node& node, std::string& into, Report& report);
void read_truth(const yaml::Node& node, bool& into, Report& report);

}  // namespace tidegate::rules
